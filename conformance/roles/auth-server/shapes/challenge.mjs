/**
 * An independent authorization server: REST, codes bound to a challenge, registered users only, and a bearer
 * token apart from the token for the EHR server. It is right unless faults are enabled, and uses only Node's
 * modules.
 *
 * Environment: PORT, CONTROL_PORT, EHR_URL, EHR_API_VERSION, EHR_USER, EHR_PASSWORD, EHR_TIMEOUT_MS, SMS_URL,
 * PHONES and NOT_MEMBERS (separated by commas; in a phone of PHONES every # is any digit),
 * OTP_LIFETIME_SECONDS, RESEND_SECONDS, CODES_PER_DAY, SESSION_MINUTES, STATE_FILE, FAULTS (separated by
 * commas).
 */
import { randomBytes, randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { digestOf, MINUTE_MS } from './challenge/common.mjs';
import { answerClient, answerControl, listen } from './challenge/http.mjs';
import { loadState } from './challenge/state.mjs';
import { startFromEnvironment, withDefaults } from './settings.mjs';

/** Faults by name. Classes 1 to 12 are the kit's blind spots; 0 is a fault of the wire format. */
export const FAULTS = {
  'code-in-reply': { title: 'The answer to the request of a code carries the code', class: 1 },
  'code-in-header': { title: 'A header of the answer to the request of a code carries the code', class: 1 },
  'code-in-challenge': { title: 'The challenge is phone and code in base64url', class: 1 },
  'code-same-for-all': { title: 'Everybody is sent the same code', class: 1 },
  'codes-counting': { title: 'Each code is the one before plus one', class: 1 },
  'codes-from-clock': { title: 'A code is the second in which it was sent', class: 1 },
  'empty-code-accepted': { title: 'An empty, missing or null code confirms', class: 1 },
  'array-code-accepted': { title: 'A list in place of the code confirms', class: 1 },
  'master-code': { title: 'The code 000000 confirms every challenge', class: 1 },
  'old-challenge-lives': { title: 'An earlier challenge still confirms with its own code', class: 1 },
  'no-confirmation': { title: 'A challenge confirms whatever the code is', class: 1 },
  'codes-never-expire': { title: 'Codes never expire', class: 1 },
  'code-works-twice': { title: 'A used code confirms again', class: 1 },
  'code-used-late': { title: 'A code is used up after the slow part, so equal confirmations all succeed', class: 2 },
  'tries-counted-late': { title: 'Tries are counted after a wait, so guesses at once pass the limit', class: 2 },
  'one-ehr-call-at-a-time': { title: 'A hanging call to the EHR server blocks the calls of everybody', class: 2 },
  'logout-not-looked-at': { title: 'A logout during an exchange-token request is overlooked', class: 2 },
  'sign-in-trouble-swallowed': { title: 'Trouble with the EHR server at a sign-in is told as linked', class: 3 },
  'sign-in-hangs': { title: 'The save at a sign-in has no timeout', class: 3 },
  'stale-link-locks-out': { title: 'A sign-in fails when the EHR server knows the link no more', class: 3 },
  'stale-signature-kept': { title: 'A signature that the EHR server refused stays on record', class: 3 },
  'stale-link-stays': { title: 'After a refused signature the user cannot link anew', class: 3 },
  'signature-memory-only': { title: 'A restart forgets the signatures', class: 4 },
  'signature-cut': { title: 'Only 32 characters of a signature are kept', class: 4 },
  'signature-not-kept': { title: 'The signature of a link is not kept', class: 4 },
  'signature-of-last-link': { title: 'One place holds the signature of the last link of anybody', class: 4 },
  'bearer-told-as-token': {
    title: 'The client is told the bearer as the EHR token, and another one is saved',
    class: 5,
  },
  'save-before-confirmation': { title: 'The session is saved when the code is requested', class: 5 },
  'save-with-exchange-token': { title: 'A request for an exchange token saves the session again', class: 5 },
  'auth-info-of-last-session': { title: 'Exchange tokens are bound to whoever signed in last', class: 5 },
  'code-in-refusal': { title: 'The refusal of a code names the right one', class: 6 },
  'password-in-refusal': { title: 'Refusals carry the configuration with the internal password', class: 6 },
  'digest-in-reply': { title: 'The exchange token comes with the digest of its save', class: 6 },
  'accounts-in-reply': { title: 'A sign-in is answered with the accounts and signatures of all', class: 6 },
  'ehr-error-passed-on': { title: 'The client is told what the EHR server said', class: 6 },
  'unknown-phones-told': { title: 'A phone that is not registered is answered otherwise', class: 6 },
  'token-before-stored': { title: 'The client has the exchange token before the EHR server', class: 7 },
  'token-never-stored': { title: 'The EHR server is not sent the exchange token', class: 7 },
  'reads-before-save': { title: 'The record is read before the link is saved', class: 7 },
  'digest-over-session-token': { title: 'The digest of an exchange token is over the session token', class: 7 },
  'session-never-ends': { title: 'A session is good after its ttl', class: 8 },
  'ttl-in-seconds': { title: 'The EHR server is sent the ttl in seconds', class: 8 },
  'ttl-told-shorter': { title: 'The client is told an hour less than the session lasts', class: 8 },
  'exchange-token-repeated': { title: 'A session is given the same exchange token again', class: 8 },
  'null-result-accepted': { title: 'A result of null is taken as success', class: 9 },
  'error-text-accepted': { title: 'An error that is a text is taken as success', class: 9 },
  'result-beside-error-accepted': { title: 'A result beside an error is taken as success', class: 9 },
  'no-content-accepted': { title: 'HTTP 204 is taken as success', class: 9 },
  'first-chunk-only': { title: 'The first part of a reply is taken for the whole', class: 9 },
  'logout-opens-session': { title: 'The answer to a logout carries a new session', class: 10 },
  'logout-ends-all': { title: 'A logout ends every session of the user', class: 10 },
  'deletion-leaves-others': { title: 'A deletion ends the asking session alone', class: 10 },
  'exchange-token-of-first-session': { title: "A second session's exchange token is bound to the first", class: 10 },
  'taken-token-retried': { title: 'A token that is stored already is saved again with a shorter ttl', class: 10 },
  'no-pause': { title: 'There is no pause between codes', class: 11 },
  'no-cap': { title: 'There is no cap on the codes of a day', class: 11 },
  'pause-reset-by-success': { title: 'A sign-in resets pause and cap of the phone', class: 11 },
  'pause-reset-by-deletion': { title: 'A deletion resets pause and cap of the phone', class: 11 },
  'tokens-counting': { title: 'Tokens are counted up', class: 12 },
  'tries-not-limited': { title: 'Wrong codes are not limited', class: 12 },
  'tries-by-claimed-address': {
    title: 'Wrong codes are counted by the address that X-Forwarded-For claims',
    class: 12,
  },
  'exchange-token-hangs': { title: 'The save of an exchange token has no timeout', class: 12 },
  'follows-redirects': { title: 'Redirects are followed with the credentials', class: 12 },
  'digest-upper-case': { title: 'The digest is in upper case', class: 0 },
  'secret-before-password': { title: 'The secret is digested before the password', class: 0 },
  'password-in-header': { title: 'The internal password stands in a header', class: 0 },
  'jsonrpc-missing': { title: 'Calls have no member jsonrpc', class: 0 },
  'cred-missing': { title: 'Calls have no cred', class: 0 },
  'path-without-version': { title: 'The path of calls has no version', class: 0 },
  'text-plain-accepted': { title: 'A body of text/plain is carried out', class: 0 },
  'any-origin-allowed': { title: 'Every Origin is allowed, with credentials', class: 0 },
  'replies-may-be-cached': { title: 'Replies with tokens may be cached', class: 0 },
  'every-phone-of-list-sent': { title: 'A list of phones is sent one code, every one of them', class: 1 },
  'phone-of-confirmation-wins': { title: 'The session is for the phone that the confirmation names', class: 1 },
  'code-sought-in-text': { title: 'A text that has the code in it confirms', class: 1 },
  'used-code-emptied': { title: 'A used code is emptied, and an empty code confirms it', class: 1 },
  'code-hash-in-challenge': { title: 'The challenge begins with the MD5 of the code', class: 1 },
  'get-carried-out': { title: 'A GET is carried out as a POST', class: 0 },
  'trace-told': { title: 'A body that is not JSON is answered with HTTP 500 and a stack trace', class: 0 },
  'session-by-prefix': { title: 'A session is found by the first eight characters of its bearer', class: 5 },
  'session-in-any-case': { title: 'A session is found by its bearer in any case', class: 5 },
  'session-sought-in-text': { title: 'A session is found by a bearer that has its own in it', class: 5 },
  'unknown-bearer-opens-last': { title: 'A bearer that is not known opens the newest session', class: 5 },
  'link-without-session': { title: 'A report without a bearer is taken for the newest session', class: 5 },
  'named-user-wins': { title: 'The user who is named in the body goes before the bearer', class: 5 },
  'logout-not-stored': { title: 'A restart brings back sessions that were logged out', class: 4 },
  'deletion-not-stored': { title: 'A restart brings back sessions of deleted users', class: 4 },
  'used-code-not-stored': { title: 'A restart brings back used codes', class: 4 },
  'sessions-renewed-at-start': { title: 'A restart gives every session its whole life again', class: 4 },
  'outage-forgets-sign': { title: 'Trouble with the EHR server at a sign-in makes the signature forgotten', class: 3 },
  'refusal-forgets-sign': { title: 'Any refusal at a sign-in makes the signature forgotten', class: 3 },
  'given-sign-kept-first': { title: 'A signature that comes with a sign-in is kept before it is proven', class: 4 },
  'refused-report-forgets-sign': { title: 'A report that is refused makes the signature forgotten', class: 4 },
  'sign-in-outlives-deletion': { title: 'A deletion during a sign-in is overlooked', class: 2 },
  'correspondence-looked-up-once': { title: 'The correspondence entry is read at the sign-in alone', class: 4 },
  'ttl-rounded-down': { title: 'The EHR server is sent a ttl of 0 in the last minute', class: 8 },
  'ttl-never-less': { title: 'The EHR server is sent the whole ttl to the end of the session', class: 8 },
  'dies-at-gzip': { title: 'A compressed reply of the EHR server ends the server', class: 9 },
  'password-decomposed': { title: 'The internal password is digested in another Unicode form', class: 0 },
  'cookie-for-any-origin': { title: 'A cookie opens the session, and every Origin is allowed credentials', class: 0 },
  'unlisted-told-at-start': { title: 'Who is in no register is refused a code', class: 6 },
  'challenge-longer-for-known': { title: 'Who has signed in before is given a longer challenge', class: 6 },
  'second-report-not-sent': { title: 'A report of a user whose signature is on record changes nothing', class: 4 },
  'exchange-token-once': { title: 'A session is given one exchange token and no other', class: 10 },
  'logout-forgets-sign': { title: 'A logout makes the signature of the user forgotten', class: 4 },
  'tries-prolong-code': { title: 'Each try prolongs the life of a code', class: 1 },
  'refused-request-resets-tries': {
    title: 'A request for another code that is refused begins the count of tries again',
    class: 12,
  },
  'pause-by-claimed-address': {
    title: 'The pause between codes is kept by the address that X-Forwarded-For claims',
    class: 11,
  },
  'wrong-code-ends-sessions': { title: 'A wrong code ends the sessions of that phone', class: 10 },
  'entry-unchecked-at-sign-in': { title: 'A sign-in with a signature looks at no register', class: 4 },
  'codes-of-c-library': { title: 'Codes are the last digits of what rand of the C library returns', class: 1 },
  'tokens-hash-of-counter': { title: 'Tokens are the SHA-256 of a counter', class: 12 },
  'own-repeat-refused': { title: 'A report of a session that is stored already is refused', class: 10 },
  'unauthorized-locks-out': { title: 'A sign-in fails when the EHR server refuses its signature', class: 3 },
  'link-saves-all': { title: 'The report of a link saves every session of the user', class: 5 },
  'session-in-header': { title: 'The session token stands in a header of the calls to the EHR server', class: 0 },
  'session-in-query': { title: 'User and session token stand in the query of the calls', class: 0 },
  'like-origin-allowed': { title: 'An Origin that begins as the own one is allowed, with credentials', class: 0 },
  'origin-compared-at-end': { title: 'An Origin that ends as the own one is allowed, with credentials', class: 0 },
  'tries-evicted': { title: 'Tries are forgotten when other people request codes', class: 12 },
  'phones-in-reply': { title: 'A sign-in is answered with the phones of all accounts', class: 6 },
  'trouble-told-as-unknown': {
    title: 'Trouble with the EHR server is told as a session that does not exist',
    class: 3,
  },
  'link-ends-others': { title: 'The report of a link ends the other sessions of the user', class: 10 },
  'no-bearer-opens-last': { title: 'A request without an Authorization header opens the newest session', class: 5 },
  'last-character-not-compared': { title: 'A session is found by its bearer without the last character', class: 5 },
  'digits-in-any-order': { title: 'The digits of a code are compared without their order', class: 1 },
  'date-as-code': { title: 'Day, month and year confirm every challenge', class: 1 },
  'session-in-refusal': { title: 'The refusal of a wrong code carries a session', class: 1 },
  'dies-at-wrong-code': { title: 'A code that is not accepted ends the server', class: 1 },
};

/** Starts the server; {@link FAULTS} names the possible `faults`. */
export async function startServer({ faults = [], now = Date.now, random, ...given } = {}) {
  for (const name of faults) if (!Object.hasOwn(FAULTS, name)) throw new Error(`There is no fault ${name}.`);
  const fault = (name) => faults.includes(name);
  const counters = { codes: 0, calls: 0, tokens: 0, rand: 90_210_417 };
  const drawn = {
    code: () => String(randomInt(1_000_000)).padStart(6, '0'),
    token: () => randomBytes(32).toString('base64url'),
    ...random,
  };
  const counted = { ...drawn, token: () => `token-${String(++counters.tokens).padStart(26, '0')}` };
  const hashed = { ...drawn, token: () => digestOf(String(++counters.tokens)).toString('base64url') };
  const options = withDefaults({ ...given, phones: given.phones ?? [] });
  const state = loadState(options.stateFile);
  const ahead = () => state.clock.get('ahead') ?? 0;
  if (fault('sessions-renewed-at-start'))
    for (const session of state.sessions.values()) session.until = now() + ahead() + options.sessionMinutes * MINUTE_MS;
  const app = {
    ...{ options, state, fault, counters, ahead, now: () => now() + ahead() },
    ...{
      random: fault('tokens-counting') ? counted : fault('tokens-hash-of-counter') ? hashed : drawn,
      busy: new Set(),
      unstored: { sessions: [], challenges: [] },
      line: Promise.resolve(),
    },
    endpoint: `${options.ehrUrl.replace(/\/+$/, '')}/${options.apiVersion}/`,
    closing: new AbortController(),
  };
  const servers = [await listen(app, options.port, answerClient)];
  if (options.controlPort !== undefined) servers.push(await listen(app, options.controlPort, answerControl));
  const [port, controlPort] = servers.map((server) => server.address().port);
  const close = async () => {
    app.closing.abort(new Error('The server stops.'));
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const server of servers) server.closeAllConnections();
    await Promise.all(closed);
  };
  app.die = close;
  return { port, controlPort, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await startFromEnvironment(startServer);
