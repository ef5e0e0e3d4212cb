/** Clients that call out of order or too often. Rows: `id: title`, its change, public clients that had it. */
import { faults } from '../../../examples/plain-client/faults.mjs';
import {
  ANY,
  AUTHENTICATE,
  after,
  all,
  altered,
  atRefusal,
  before,
  CONFIRM,
  DISCONNECT,
  dropAllSigns,
  EXCHANGE,
  instead,
  LOGOUT,
  leaveQuietly,
  memoised,
  NO_MATCH,
  NOT_AUTHENTICATED,
  READ,
  REPORT,
  REQUEST_CODE,
  repeatedAt,
  shows,
  takenFor,
  takesAnyReply,
  twice,
} from './operators.mjs';
import { defectsOf } from './row.mjs';

const LANDED = ['anthropics/anthropic-sdk-java#370', 'adamcavendish/aioduct#79'];
const NO_ANSWER = 'no_answer';
const WRONG_CODE = -35000;
/** How often a client with no end repeats a call: more often than any check allows. */
const [MANY_READS, MANY_TOKENS, MANY_EXCHANGES] = [15, 8, 20];

function openForm(client) {
  client.isFormOpen = true;
  return { sees: 'form', text: 'Please tell us who you are.' };
}

/** Uses an exchange token a second time where `isKept` accepts the outcome of its first use. */
const usesAgain = (isKept) =>
  memoised(EXCHANGE, (ledger, former) => {
    const [first, second] = ledger.after(former).filter(({ method }) => method === AUTHENTICATE);
    return first !== undefined && second === undefined && isKept(first);
  });

export const order = defectsOf({
  'sign-in-comes-first': [
    'form-without-asking: It shows the form without asking for the record first',
    faults['form-without-asking'],
  ],
  'no-form-after-other-errors': [
    'form-at-forbidden: It shows the form after access_forbidden',
    atRefusal('readPatient', -33403, openForm),
    'form-when-record-gone: It shows the form when the record is gone',
    atRefusal('readPatient', NO_MATCH, openForm),
  ],
  'form-after-refusal': [
    'form-for-own-number-alone: It shows the form for a number alone that no server sends',
    atRefusal(READ, ANY, takenFor(-32001)),
    'no-form-when-expired: It shows an error, and no form, once the record was shown',
    altered('readPatient', (client, { sees }) => {
      if (sees !== 'form' || !client.ledger.record) return undefined;
      client.isFormOpen = false;
      return { sees: 'error', text: 'The record cannot be shown now.' };
    }),
    'supertokens/supertokens-web-js#114',
    'MrSwitch/hello.js#66',
    'n1k0/tooty#40',
  ],
  'expired-session-leads-on': [
    'form-after-first-code-only: It shows the form after -33000 alone',
    atRefusal(READ, [-33001, -33002], takenFor(-32603)),
  ],
  'form-after-expired': [
    'expiry-signs-out: It signs the person out after session_expired',
    atRefusal('ehr', -33001, takenFor('signed_out')),
  ],
  'link-reported-at-once': ['link-not-reported: It does not report the link', faults['link-not-reported']],
  'exchange-token-first': [
    'link-told-to-nobody: It neither reports a link nor sends its user_sign with a sign-in',
    all(faults['link-not-reported'], after('show', dropAllSigns)),
  ],
  'report-made-up-for': [
    'report-given-up: It does not repeat a report that failed',
    after('report', ({ storage }) => Object.assign(storage.session, { isUnreported: false })),
    'any-reply-is-report: It takes the reply of another call for that of the report',
    takesAnyReply(REPORT),
  ],
  'link-reported-after-lost-reply': [
    'lost-link-not-reported: It does not report a link whose reply was lost',
    atRefusal('authenticate', NO_ANSWER, ({ storage }) => {
      storage.session.isUnreported = false;
    }),
    ...LANDED,
  ],
  'exchange-token-renewed': [
    'exchange-token-kept: It uses its first exchange token for ever',
    faults['exchange-token-kept'],
    'pkp/pkp-lib#2428',
    'department-of-veterans-affairs/va.gov-team#129192',
    'sebsauvage/Shaarli#215',
  ],
  'exchange-token-used-once': [
    'exchange-token-used-after-success: It tries the exchange token of a link again',
    usesAgain(({ result }) => result),
    'exchange-token-used-after-expiry: It tries an expired exchange token again',
    usesAgain(({ error }) => error?.code === -33001),
  ],
  'dead-exchange-token-told-apart': [
    'dead-exchange-token-as-mismatch: It tells an exchange token that leads nowhere as details that fit nobody',
    atRefusal('fillForm', NOT_AUTHENTICATED, takenFor(NO_MATCH)),
    'dead-exchange-token-signs-out: It signs the person out when an exchange token leads nowhere',
    atRefusal('fillForm', NOT_AUTHENTICATED, (client) =>
      leaveQuietly(client, 'Your time is over. Please sign in again.'),
    ),
  ],
  'no-endless-exchange': [
    'endless-exchange: It asks again without end for a record that stays refused',
    instead('readPatient', async (right, { ledger }) => {
      let seen = await right();
      for (let turn = 0; turn < MANY_EXCHANGES && ledger.record && seen.sees === 'form'; turn += 1)
        seen = await right();
      return seen;
    }),
    'open-metadata/OpenMetadata#33773',
    'medplum/medplum#9680',
    'punkpeye/mcp-remote#338',
  ],
  'code-sent-once': [
    'confirms-twice: It confirms each code twice',
    twice(CONFIRM),
    'Noveum/orbit#302',
    'dubinc/dub#3440',
    'keycloak/keycloak#36012',
  ],
  'form-sent-once': ['form-sent-twice: It sends each form twice', twice(AUTHENTICATE)],
  'logout-sent-once': ['logout-sent-twice: It logs out twice', twice(LOGOUT)],
  'deletion-sent-once': ['deletion-sent-twice: It disconnects twice at a deletion', twice(DISCONNECT)],
  'one-action-one-call': [
    'code-asked-for-twice: It asks for two codes at a sign-in',
    twice(REQUEST_CODE),
    'link-made-twice: It sends the form twice, with two exchange tokens',
    instead('authenticate', (right) => right().then(() => right())),
  ],
  'no-needless-requests': [
    'reported-twice: It reports each link twice',
    twice(REPORT),
    'reported-at-each-read: It reports the link again whenever the record is read',
    before('show', ({ storage }) => Object.assign(storage.session, { isUnreported: true })),
    'two-exchange-tokens: It asks for two exchange tokens at once',
    twice(EXCHANGE),
  ],
  'refused-try-not-repeated': [
    'form-sent-again-when-nobody-fits: It sends a form that fits nobody once more',
    repeatedAt(AUTHENTICATE, NO_MATCH),
  ],
  'unanswered-try-not-repeated': [
    'code-sent-again-without-answer: It confirms a code again after a lost reply',
    repeatedAt(CONFIRM, NO_ANSWER),
    ...LANDED,
    'code-asked-for-again-without-answer: It asks for another code after a lost reply',
    repeatedAt(REQUEST_CODE, NO_ANSWER),
    'form-sent-again-without-answer: It sends the form again after a lost reply',
    repeatedAt(AUTHENTICATE, NO_ANSWER),
    ...LANDED,
  ],
  'codes-asked-for-by-person': [
    'sign-in-begun-anew-without-answer: It begins the sign-in again after a lost reply',
    asksForCodeAt(NO_ANSWER),
    'code-asked-for-when-wrong: It asks for another code after a wrong one',
    asksForCodeAt(WRONG_CODE),
  ],
  'exchange-tokens-in-vain': [
    'exchange-tokens-without-end: It asks for exchange tokens until one is taken',
    repeatedAt('authenticate', -33001, MANY_TOKENS),
    'medplum/medplum#9680',
  ],
  'no-calls-without-end': [
    'reads-without-end: It reads the record until it is not refused',
    repeatedAt(READ, ANY, MANY_READS),
  ],
  'other-phone-before-code': [
    'first-phone-confirmed: It confirms the phone that was typed first',
    instead('confirm', (right, { ledger }, _phone, ...rest) =>
      right(ledger.actions.find((action) => action.do === 'signIn').phone, ...rest),
    ),
  ],
  'another-code-on-request': [
    'resend-does-nothing: It sends no other code',
    instead('act', (right, _client, action) =>
      action.do === 'resend' ? { sees: 'code', text: 'Please wait for the code.' } : right(),
    ),
  ],
  'wrong-code-told': [
    'wrong-code-ends-sign-in: A wrong code ends the sign-in',
    shows({ do: 'enterCode', sees: 'code' }, (_seen, client) => {
      client.phone = undefined;
      return { sees: 'signedOut', text: 'The sign-in has failed, please begin again.' };
    }),
    'wrong-code-sent-again: It sends a wrong code several times',
    repeatedAt(CONFIRM, WRONG_CODE, 2),
  ],
  'wrong-codes-in-a-row': [
    'wrong-codes-lock-out: It refuses every code after three wrong ones',
    instead('enterCode', (right, { ledger }) =>
      ledger.failed(CONFIRM).length < 3
        ? right()
        : { sees: 'error', text: 'Too many wrong codes, you cannot sign in any more.' },
    ),
  ],
  'code-errors-told-apart': [
    'old-code-told-as-wrong: It tells an expired code as a wrong one',
    atRefusal(CONFIRM, [-35001, -35002], takenFor(WRONG_CODE)),
  ],
  'unlinked-sign-in-leads-to-form': [
    'stale-signature-locks-out: A user_sign that opens nothing ends the sign-in',
    altered('confirm', (_client, { linked }, _phone, _code, sign) => {
      if (sign && linked === false) throw new Error('stale');
    }),
  ],
});

/** Asks for another code, unasked by the person, when a code is refused with this number. */
function asksForCodeAt(code) {
  return atRefusal('confirm', code, async (client) => {
    await client.resend();
  });
}
