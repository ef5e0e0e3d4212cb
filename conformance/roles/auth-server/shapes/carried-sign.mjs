/**
 * An independent authorization server in the usual shape of the field: JSON-RPC 2.0, a sign-in that carries
 * the client's user_sign, no report of a link, no logout, no deletion. It keeps no signature by design. It is
 * right unless faults are enabled, and uses only Node's modules.
 *
 * Environment: PORT, CONTROL_PORT, EHR_URL, EHR_API_VERSION, EHR_USER, EHR_PASSWORD, EHR_TIMEOUT_MS, SMS_URL,
 * NOT_MEMBERS (separated by commas), OTP_LIFETIME_SECONDS, RESEND_SECONDS, CODES_PER_DAY, SESSION_MINUTES,
 * STATE_FILE, FAULTS (separated by commas).
 */
import { randomBytes, randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { AuthServer } from './carried-sign/auth-server.mjs';
import { EhrCaller } from './carried-sign/ehr-caller.mjs';
import { controlAnswer, listen, rpcAnswer } from './carried-sign/http.mjs';
import { Memory } from './carried-sign/memory.mjs';
import { startFromEnvironment, withDefaults } from './settings.mjs';

/**
 * Faults by name. The classes are those of the kit's blind spots, 1 to 12; 0 is a fault of the wire format.
 *
 * Some classes cannot exist in this shape and have another fault instead:
 * - 4, a signature that is not kept or only in memory: the carried one is cut, changed or another user's, or
 *   the user's id is lost.
 * - 10, a logout that ends both sessions, a deletion that leaves one: a second sign-in ends the first.
 * - 11, a pause that a deletion resets: a pause for each spelling of a phone.
 */
export const FAULTS = {
  'code-in-reply': { title: 'The answer to the request of a code carries the code', class: 1 },
  'code-from-phone': { title: 'A code is the last six digits of the phone', class: 1 },
  'codes-counting': { title: 'Each code is the one before plus one', class: 1 },
  'codes-from-clock': { title: 'A code is the second in which it was sent', class: 1 },
  'empty-code-accepted': { title: 'An empty code confirms', class: 1 },
  'null-code-accepted': { title: 'A code of null, or none, confirms', class: 1 },
  'dies-at-empty-code': { title: 'An empty code ends the server', class: 1 },
  'master-code': { title: 'The code 123456 confirms every phone', class: 1 },
  'older-code-accepted': { title: 'The code before the newest confirms, too', class: 1 },
  'code-of-any-phone': { title: 'A code that was sent to anybody confirms every phone', class: 1 },
  'codes-never-expire': { title: 'Codes never expire', class: 1 },
  'code-works-twice': { title: 'A used code confirms again', class: 1 },
  'no-confirmation': { title: 'A phone alone opens a session', class: 1 },
  'code-used-late': { title: 'A code is used up after the slow part, so equal confirmations all succeed', class: 2 },
  'tries-counted-late': { title: 'Tries are counted after a wait, so guesses at once pass the limit', class: 2 },
  'one-ehr-call-at-a-time': { title: 'A hanging call to the EHR server blocks the calls of everybody', class: 2 },
  'session-in-shared-variable': { title: 'Sign-ins at the same time share a variable for the session', class: 2 },
  'sign-in-trouble-swallowed': { title: 'Trouble with the EHR server at a sign-in is told as linked', class: 3 },
  'sign-in-hangs': { title: 'The save at a sign-in has no timeout', class: 3 },
  'stale-sign-locks-out': { title: 'A sign-in fails when the EHR server knows the link no more', class: 3 },
  'broken-after-trouble': { title: 'After trouble with the EHR server the user can sign in no more', class: 3 },
  'sign-cut': { title: 'Only 32 characters of the carried signature are used', class: 4 },
  'sign-lower-case': { title: 'The carried signature is taken in lower case', class: 4 },
  'sign-of-first-user': { title: 'The signature that was carried first is used for everybody', class: 4 },
  'user-id-in-memory-only': { title: 'A restart gives every phone a new user id', class: 4 },
  'save-before-confirmation': { title: 'The session is saved before the code is compared', class: 5 },
  'other-token-saved': { title: 'The session that is saved has another token than the client', class: 5 },
  'auth-info-of-last-session': { title: 'Exchange tokens are bound to whoever signed in last', class: 5 },
  'password-in-error': { title: 'Errors carry the configuration with the internal password', class: 6 },
  'ehr-error-passed-on': { title: 'The client is told what the EHR server said', class: 6 },
  'trouble-told-as-unknown': {
    title: 'Trouble with the EHR server is told as a session that does not exist',
    class: 3,
  },
  'digest-in-reply': { title: 'The exchange token comes with the digest of its save', class: 6 },
  'last-sign-in-reply': { title: 'A sign-in is answered with the signature that was carried last', class: 6 },
  'code-in-error': { title: 'The refusal of a code names the right one', class: 6 },
  'token-before-stored': { title: 'The client has the exchange token before the EHR server', class: 7 },
  'token-never-stored': { title: 'The EHR server is not sent the exchange token', class: 7 },
  'reads-before-save': { title: 'The record is read before the session is saved', class: 7 },
  'digest-over-session-token': { title: 'The digest of a saved session is over the session token', class: 7 },
  'session-never-ends': { title: 'A session is good after its ttl', class: 8 },
  'ttl-in-seconds': { title: 'The EHR server is sent the ttl in seconds', class: 8 },
  'ttl-told-shorter': { title: 'The client is told an hour less than the session lasts', class: 8 },
  'exchange-token-repeated': { title: 'A session is given the same exchange token again', class: 8 },
  'null-result-accepted': { title: 'A result of null is taken as success', class: 9 },
  'error-text-accepted': { title: 'An error that is a text is taken as success', class: 9 },
  'array-accepted': { title: 'A list of replies is taken as success', class: 9 },
  'gzip-not-understood': { title: 'A reply in gzip is not understood', class: 9 },
  'first-part-only': { title: 'The first part of a reply is taken for the whole', class: 9 },
  'doubled-members-accepted': { title: 'Of a member that stands twice in a reply the last one counts', class: 9 },
  'id-not-compared': { title: 'The id of a reply is not compared', class: 9 },
  'second-sign-in-ends-first': { title: 'A second sign-in ends the first session', class: 10 },
  'exchange-token-of-first-session': { title: "A second session's exchange token is bound to the first", class: 10 },
  'taken-token-retried': { title: 'A token that is stored already is saved again with a shorter ttl', class: 10 },
  'no-pause': { title: 'There is no pause between codes', class: 11 },
  'no-cap': { title: 'There is no cap on the codes of a day', class: 11 },
  'pause-reset-by-success': { title: 'A sign-in resets pause and cap of the phone', class: 11 },
  'pause-per-spelling': { title: 'Each spelling of a phone has a pause and a cap of its own', class: 11 },
  'tokens-counting': { title: 'Tokens are counted up', class: 12 },
  'exchange-tokens-short': { title: 'Exchange tokens have eight characters', class: 12 },
  'tries-not-limited': { title: 'Wrong codes are not limited', class: 12 },
  'exchange-token-hangs': { title: 'The save of an exchange token has no timeout', class: 12 },
  'follows-redirects': { title: 'Redirects are followed with the credentials', class: 12 },
  'retries-pile-up': { title: 'A call that fails is sent thirty times', class: 12 },
  'digest-upper-case': { title: 'The digest is in upper case', class: 0 },
  'secret-before-password': { title: 'The secret is digested before the password', class: 0 },
  'password-in-header': { title: 'The internal password stands in a header', class: 0 },
  'params-as-list': { title: 'The params of calls are a list', class: 0 },
  'cred-missing': { title: 'Calls have no cred', class: 0 },
  'ttl-as-text': { title: 'The EHR server is sent the ttl as a text', class: 0 },
  'user-not-compared': { title: 'Only the token of a session is verified', class: 0 },
  'sign-sanitised': { title: 'The carried signature is reduced to letters and digits', class: 0 },
  'exchange-tokens-derived': { title: 'An exchange token follows from the session and the second', class: 12 },
  'two-ehr-calls-at-a-time': { title: 'Two hanging calls to the EHR server block the calls of everybody', class: 2 },
  'last-four-compared': { title: 'The last four digits of a code are compared', class: 1 },
  'phones-split-at-comma': { title: 'Phones with a comma between them are sent one code, every one of them', class: 1 },
  'sign-skips-code': { title: 'A sign-in with a signature needs no right code', class: 1 },
  'last-ten-digits': { title: 'Users are told apart by the last ten digits of their phones', class: 1 },
  'message-to-last-asker': { title: 'Requests share the variable of the phone that a message goes to', class: 2 },
  'pause-read-early': { title: 'The time of the last code is read before a wait, and stored after it', class: 11 },
  'broken-body-is-internal': { title: 'A body that is not JSON is answered with HTTP 500', class: 0 },
  'half-character-is-internal': { title: 'Half a character in a text is answered with HTTP 500', class: 0 },
  'session-by-prefix': { title: 'A session is found by the first eight characters of its token', class: 5 },
  'session-in-any-case': { title: 'A session is found by its token in any case', class: 5 },
  'text-plain-accepted': { title: 'A body of text/plain is carried out', class: 0 },
  'session-in-refusal': { title: 'The refusal of a wrong code carries a session', class: 1 },
};

/** Starts the server; {@link FAULTS} names the possible `faults`. */
export async function startServer({ faults = [], now = Date.now, random, ...given } = {}) {
  for (const name of faults) if (!Object.hasOwn(FAULTS, name)) throw new Error(`There is no fault ${name}.`);
  const settings = { ...withDefaults(given), fault: (name) => faults.includes(name) };
  const memory = new Memory(settings);
  const draw = {
    code: () => String(randomInt(1_000_000)).padStart(6, '0'),
    token: () => randomBytes(32).toString('base64url'),
    ...random,
  };
  const ehr = new EhrCaller(settings);
  // For a fault only: the server exists by then.
  settings.die = () => close();
  const auth = new AuthServer({ settings, memory, ehr, draw, now: () => now() + memory.ahead });
  const servers = [await listen(settings.port, (request) => rpcAnswer(auth, request), settings)];
  if (settings.controlPort !== undefined)
    servers.push(await listen(settings.controlPort, (request) => controlAnswer(memory, request)));
  const [port, controlPort] = servers.map((server) => server.address().port);
  const close = async () => {
    ehr.close();
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const server of servers) server.closeAllConnections();
    await Promise.all(closed);
  };
  return { port, controlPort, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await startFromEnvironment(startServer);
