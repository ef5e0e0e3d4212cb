/** Rules for the digest of calls to the EHR server, and for what neither calls nor answers may tell (§1, §5). */
import type { Check } from '../../../engine/check/check.ts';
import { circumstancesOf } from '../../../engine/check/circumstances.ts';
import { rule } from '../../../engine/check/rule.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import { TO_CLIENT } from '../../../engine/journal/secrets/found/secrets-to-client.ts';
import { traceIn } from '../../../engine/journal/secrets/found/stack-traces.ts';
import type { JournalView } from '../../../engine/journal/view.ts';
import { cookiesAfter } from '../../../engine/party/requests/cookies.ts';
import { oddCodes } from '../flows/codes/odd-codes.ts';
import { severalPhones } from '../flows/codes/several-phones.ts';
import { wrongCodes } from '../flows/codes/wrong-codes.ts';
import { crowd } from '../flows/links/crowd.ts';
import { firstLink, longSigns } from '../flows/links/first-link.ts';
import { returningUser } from '../flows/links/returning-user.ts';
import { malformed } from '../flows/requests/odd-requests.ts';
import { fault, isDone } from '../flows/step-values.ts';
import { exchangeTokenTrouble } from '../flows/trouble/save-trouble.ts';
import { REMEMBERED } from '../internal-calls.ts';
import {
  answers,
  callAccepted,
  NO_ANSWER,
  NO_SAVE,
  NO_TOKEN_SAVE,
  saves,
  savesOfBoth,
  tokenSaves,
  USUAL,
  unless,
} from './usual.ts';

/** Makes a function that says over which other secret a digest is; undefined: it is over the right one. */
const wrongDigest =
  (kind: 'exchange-token' | 'user-sign', secret: string) =>
  ({ facts: { digest } }: ExchangeEntry) => {
    if (!digest) return 'there is no cred.token';
    if (digest.over?.kind === kind) return undefined;
    if (digest.over)
      return `the digest is over ${digest.over.kind === 'user-sign' ? 'a user_sign' : 'the exchange token'} and not over ${secret}`;
    return digest.explained ?? 'the digest is right for no secret that is known';
  };

/** A session that a person clicks through may have begun after the link, and a link may be of an earlier run. */
function isDigestShown(journal: JournalView, save: ExchangeEntry): boolean {
  const about = circumstancesOf(journal, save);
  if (journal.stepOf(save)?.step.defect === REMEMBERED) return false;
  return about === undefined || (about.isSignShown && !about.isSignOfClient);
}

export const secretRules: readonly Check[] = [
  rule({
    ...USUAL,
    id: 'cred-user',
    title: "cred.user is the authorization server's internal user name",
    requirements: ['5.1-user'],
    expected: 'cred.user is the internal user name of the settings',
    advice: 'Send the internal user name agreed with the EHR server, not the end user.',
    of: savesOfBoth,
    wrong: ({ facts: { digest } }) => (digest?.rightUser ? undefined : 'cred.user is another name'),
  }),
  rule({
    ...USUAL,
    id: 'digest-shape',
    title: 'cred.token is 40 lowercase hexadecimal characters',
    requirements: ['2.2-digest-shape'],
    expected: '40 characters from 0-9 and a-f',
    advice: 'Write the SHA-1 digest in lowercase hexadecimal.',
    of: savesOfBoth,
    wrong: ({ facts: { digest } }) => {
      if (!digest) return 'there is no cred.token';
      return digest.lowercaseHex
        ? undefined
        : `it has ${digest.length} characters and is not lowercase hexadecimal${digest.explained ? `: ${digest.explained}` : ''}`;
    },
  }),
  rule({
    ...USUAL,
    id: 'exchange-token-digest',
    title: 'cred.token of save_exchange_token is the digest over internal password and exchange token',
    requirements: ['5.2-digest', '5.1-digest-order'],
    expected: 'sha1(internal password + exchange token), UTF-8, nothing between',
    advice: 'Digest the password first and the exchange token directly behind it.',
    of: tokenSaves,
    nothing: NO_TOKEN_SAVE,
    wrong: wrongDigest('exchange-token', 'the exchange token'),
  }),
  rule({
    ...USUAL,
    id: 'user-sign-digest',
    title: 'cred.token of save_auth_info is the digest over internal password and user_sign',
    requirements: ['5.1-digest', '5.1-digest-order'],
    expected: 'sha1(internal password + user_sign), UTF-8, nothing between',
    advice:
      'Digest the password first and the user_sign directly behind it, exactly as the EHR server gave it to the client; refuse a user_sign that is empty.',
    scenarios: [firstLink, returningUser, longSigns],
    of: (journal) => saves(journal).filter((save) => isDigestShown(journal, save)),
    nothing: NO_SAVE,
    wrong: wrongDigest('user-sign', 'the user_sign'),
  }),
  rule({
    ...USUAL,
    id: 'own-user-sign',
    title: 'save_auth_info uses the user_sign of the very user whose session it saves',
    requirements: ['5.1-digest-of-own-sign'],
    expected: 'the digest is over the user_sign of authInfo.user',
    advice: 'Look the user_sign up by the user whose session is saved; never reuse the last one.',
    explains: ['link-kept-over-others-deletion', 'trouble-survived-at-sign-in'],
    of: (journal) =>
      saves(journal).filter(
        (exchange) =>
          exchange.facts.digest?.over?.kind === 'user-sign' &&
          !circumstancesOf(journal, exchange)?.isSignOfClient &&
          // In a step with a mistake on purpose the client may bring the user_sign of somebody else.
          journal.stepOf(exchange)?.step.defect === undefined,
      ),
    nothing: { unclear: 'no save_auth_info came with a digest over a known user_sign' },
    wrong: ({ facts: { call, digest } }) =>
      digest?.over?.owner === call?.user ? undefined : "the user_sign is another user's",
  }),
  rule({
    ...USUAL,
    id: 'secrets-not-in-clear',
    title: 'Internal password and user_sign never cross in clear',
    requirements: ['5.1-secrets-not-in-clear'],
    expected: 'password and user_sign only inside the digest',
    advice: 'Send the digest alone; no Authorization header, no extra member, no query.',
    of: (journal) => journal.exchanges('auth->ehr'),
    wrong: ({ facts: { inClear } }) => inClear?.join(', '),
    control: callAccepted,
  }),
  rule({
    ...USUAL,
    id: 'tokens-in-body-alone',
    title: 'Session tokens and exchange tokens stand in the body of a call and nowhere else',
    requirements: ['K-tokens-in-body'],
    expected: 'no token in the path, the query or a header',
    advice:
      'Send tokens in authInfo and params alone: paths, queries and headers are written to logs on the way.',
    of: (journal) => journal.exchanges('auth->ehr'),
    wrong: ({ facts: { besideBody } }) => besideBody?.join(', '),
  }),
  rule({
    ...USUAL,
    id: 'no-patient-data',
    title: 'The authorization server neither receives nor passes on patient properties',
    requirements: ['1-properties-not-relayed', '1-properties-not-to-auth'],
    expected: 'no patient property in any form',
    advice:
      'Patient properties go from the client to the EHR server only. Remove whatever collects or relays them.',
    // Until a client sent properties that fit a patient there was nothing to pass on, and no pass.
    of: (journal) => {
      const all = [...journal.exchanges('auth->ehr'), ...journal.exchanges('client->auth')];
      const identified = journal.exchanges('client->ehr', 'embedded_storage.authenticate');
      return identified.some(({ facts }) => facts.reply?.result)
        ? all
        : all.filter(({ facts }) => facts.patientData);
    },
    nothing: {
      unclear: 'no patient identified themselves to the EHR server, so there was nothing to pass on',
    },
    wrong: ({ link, request, facts: { patientData } }) =>
      patientData?.join(', ') ??
      (link === 'auth->ehr' && PROPERTIES_SENT.test(request.body) && 'patientProperties in the request body'),
  }),
  rule({
    ...USUAL,
    id: 'phone-not-passed-on',
    title: 'No call tells the EHR server the phone of a user, beside the user id or as its hash',
    requirements: ['K-phone-not-passed-on'],
    expected: 'the user by the user id alone, and a user id that follows from no phone',
    advice:
      'Send user, token and ttl in authInfo and nothing beside them, and draw the user id: a hash of a phone is found by trying all phones.',
    of: savesOfBoth,
    wrong: ({ request, facts: { call } }) =>
      call?.userIs !== undefined
        ? `authInfo.user is ${call.userIs}`
        : PHONE.test(request.body.replace(USER_MEMBER, '')) && 'a phone stands in the call',
  }),
];

/** The member in which the client sends the properties of the patient. */
const PROPERTIES_SENT = /"patientProperties"\s*:\s*\{\s*"/;
/** The pseudonym of a phone, in the journal. A user id may be the phone. */
const PHONE = /‹phone \d+›/;
const USER_MEMBER = /"user"\s*:\s*"[^"]*"/g;

/** The cookies that an answer sets for a session: they have its token, or later requests send them. */
function sessionCookies(journal: JournalView): { seq: number; line: string }[] {
  const all = journal.exchanges('client->auth');
  const values = (headers: [string, string][], name: string) =>
    headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
  const cookies = all.flatMap(({ request }) => values(request.headers, 'cookie'));
  const sent = new Set(cookies.flatMap((header) => header.split(';').map(nameOf)));
  return all.flatMap(({ seq, response }) =>
    values(response?.headers ?? [], 'set-cookie')
      .map((line) => ({ seq, line }))
      .filter(({ line }) => line.includes('‹session-token') || sent.has(nameOf(line)))
      // A page reads the cookie against forged requests on purpose, and an ended cookie guards nothing.
      .filter(({ line }) => !/csrf|xsrf/i.test(nameOf(line)) && cookiesAfter([line], {}).size > 0),
  );
}

const nameOf = (cookie: string): string => (cookie.split('=')[0] ?? '').trim();

const OF_ANSWERS = { ...USUAL, of: answers, nothing: NO_ANSWER, watchable: false } as const;

/** Makes a function that finds secrets in an answer: their words in the journal begin with, or have, these. */
const told =
  (is: (words: string) => boolean) =>
  ({ facts }: ExchangeEntry): string | undefined =>
    facts.toClient?.filter(is).join(', ') || undefined;

const tokenGiven = unless((journal) => journal.allSteps('exchangeToken').some(isDone), NO_ANSWER.unclear);

const hasReturned = (journal: JournalView, { id }: { id: string }, label: string) =>
  journal.steps({ scenario: id, label }).some(isDone);

export const toldToClientRules: readonly Check[] = [
  rule({
    ...OF_ANSWERS,
    id: 'internal-secrets-not-to-client',
    title: 'No answer to a client has the internal password or a digest of the internal channel in it',
    requirements: ['K-internal-secrets-kept', '5.1-secrets-not-in-clear'],
    scenarios: [firstLink, returningUser, wrongCodes],
    watchable: true,
    wrong: told((words) => words.startsWith(TO_CLIENT.password) || words.startsWith(TO_CLIENT.digest)),
    expected: 'neither of them in any reply, header or redirect',
    advice:
      'Answer clients with what they are meant to have, member by member, and never with settings, requests or objects of your own. Change the internal password now: it was seen.',
    control: callAccepted,
  }),
  rule({
    ...OF_ANSWERS,
    id: 'others-secrets-not-to-client',
    title: 'No answer to a client has a token or a user_sign of another user in it',
    requirements: ['K-others-secrets-kept'],
    scenarios: [returningUser, crowd],
    wrong: told((words) => words.includes(TO_CLIENT.ofAnother)),
    expected: "the client's own token and nothing of other users",
    advice: 'Make each answer of the session that was verified for this very request, and of nothing else.',
    control: unless(
      (journal) =>
        journal.internalCalls.length > 0 && hasReturned(journal, returningUser, 'Cid returns with user_sign'),
      'no user returned after another was linked, so no signature could have been told to another',
    ),
  }),
  rule({
    ...OF_ANSWERS,
    id: 'nobody-else-named',
    title: 'No answer to a client names the phone or the user of somebody else',
    requirements: ['K-others-not-named'],
    scenarios: [returningUser, crowd],
    wrong: told((words) => words.includes(TO_CLIENT.ofSomebodyElse)),
    expected: 'the own phone and user, and nobody else',
    advice: 'Answer each client with what concerns its own session, and leave lists of users and phones out.',
    control: unless(
      (journal) => journal.allSteps('confirmOtp').filter(isDone).length > 1,
      'fewer than two people signed in, so nobody else could have been named',
    ),
  }),
  rule({
    ...OF_ANSWERS,
    id: 'request-tells-nothing',
    title: 'The answer to the request of a code has no token and no user_sign of the person in it',
    requirements: ['K-others-secrets-kept'],
    scenarios: [returningUser, crowd],
    wrong: told((words) => words.includes(TO_CLIENT.unconfirmed)),
    expected: 'nothing of the person: whoever names a phone gets this answer',
    advice:
      'Answer the request of a code alike for every phone, and give tokens only after the code is confirmed. A session gets a token that was not handed out before.',
    control: unless(
      (journal) => hasReturned(journal, returningUser, 'Bea returns with user_sign'),
      'no linked user asked for another code, so nothing of a person could have been told',
    ),
  }),
  rule({
    ...OF_ANSWERS,
    id: 'session-cookie-guarded',
    title: 'The cookie of a session is HttpOnly and SameSite',
    requirements: ['K-session-cookie'],
    scenarios: [firstLink, returningUser],
    judge(_all, journal) {
      const open = sessionCookies(journal).flatMap(({ seq, line }) => {
        const lacks = ['HttpOnly', 'SameSite'].filter(
          (each) => !new RegExp(`;\\s*${each}\\b`, 'i').test(line),
        );
        return lacks.length > 0 ? [{ seq, lacks: lacks.join(' and ') }] : [];
      });
      const [first] = open;
      return first && fault('HttpOnly and SameSite', `a session cookie lacks ${first.lacks}`, ...open);
    },
    control: tokenGiven,
    advice: 'Set both attributes, so that no script reads the cookie and no page of another site sends it.',
  }),
  rule({
    ...OF_ANSWERS,
    id: 'ehr-error-not-passed-on',
    title: 'What the EHR server says of its failures is not handed to the client',
    requirements: ['K-ehr-error-kept'],
    scenarios: [exchangeTokenTrouble],
    wrong: told((words) => words.startsWith(TO_CLIENT.ehrError)),
    expected: 'an error in words of your own',
    advice:
      'Write what the EHR server said to your log, and tell the client a code or a sentence of your own: such texts have host names, stacks and values in them.',
    control: unless(
      (journal) =>
        journal
          .exchanges('auth->ehr')
          .some(({ fault }) => fault === 'refuse' || fault === 'http-500' || fault === 'not-json'),
      'no error text of the EHR server reached the server under test',
    ),
  }),
  rule({
    ...OF_ANSWERS,
    id: 'no-trace-told',
    title: 'No answer to a client has a stack trace in it',
    requirements: ['K-no-trace-told'],
    scenarios: [firstLink, malformed, oddCodes, severalPhones],
    control: tokenGiven,
    wrong({ response }) {
      const trace = traceIn(response?.body ?? '');
      return trace && `a stack trace of ${trace}`;
    },
    expected: 'an error that names what is wrong with the request',
    advice:
      'Catch what a request can cause and log it; tell the client nothing of your code, its paths and its versions.',
  }),
];
