/**
 * Clients that differ from the right client in a harmless way: in their calls, and in what they make of
 * replies. No check may report one. A text `id: title` begins a variant, and its change follows.
 */
import { createHash } from 'node:crypto';
import { now } from '../../../../examples/plain-client/faults.mjs';
import { inBackground } from '../delayed.mjs';
import {
  ANY,
  AUTH_LOGOUT,
  AUTHENTICATE,
  after,
  all,
  altered,
  anyway,
  atRefusal,
  before,
  DELETE_USER,
  DISCONNECT,
  dropAllSigns,
  EXCHANGE,
  inCall,
  inForm,
  inHeaders,
  inParams,
  inReply,
  inRequest,
  instead,
  LOGOUT,
  memoised,
  NO_MATCH,
  READ,
  REPORT,
  REQUEST_CODE,
  repeatedAt,
  withIds,
} from '../operators.mjs';
import { CHECKS_OF_KEPT_SIGN, rowsOf } from '../row.mjs';

const md5 = (text) => createHash('md5').update(text).digest('hex');

/** A character as a JSON escape. */
const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Sends each call with the body that `bodyOf` makes of it. */
const inBody = (bodyOf) => inRequest(ANY, ({ call }) => ({ body: bodyOf(call) }));

/**
 * Uses an exchange token again while only reads and forms that fit nobody came since. The token is still good
 * then.
 */
const keepsToken = memoised(
  EXCHANGE,
  (ledger, former) =>
    former.result.exchangeToken &&
    ledger
      .after(former)
      .every(({ method, error }) => method === READ || (method === AUTHENTICATE && error?.code === NO_MATCH)),
);

/** Checks of a value that some of these clients do not send. */
const CHECKS_OF_GENDER = ['gender-as-code', 'gender-as-chosen', 'gender-zero-sent'];

/** The harmless variants. `notPlayable` lists checks that do not apply to a client. */
export const harmlessCalls = rowsOf([
  'ids-as-text: Its ids are texts',
  inCall(ANY, { id: String }),
  'ids-by-chance: Its ids are texts with letters',
  withIds((id) => `call-${id}-of-this-client`),
  'ids-large: Its ids are large numbers',
  withIds((id) => id + 9_000_000_000),
  'gender-left-out: It leaves the gender out',
  inForm({ gender: undefined }),
  { notPlayable: CHECKS_OF_GENDER },
  'gender-unknown-left-out: It leaves out a gender that is recorded as unknown',
  inForm({ gender: (gender) => (gender === 3 ? undefined : gender) }),
  'members-in-another-order: The members of its calls stand in another order',
  inBody((call) => JSON.stringify(Object.fromEntries(Object.entries(call).reverse()))),
  'cred-members-swapped: The members of its cred stand in another order',
  inCall(ANY, ({ cred }) => cred && { cred: { token: cred.token, user: cred.user } }),
  'charset-in-content-type: Its content type names the charset',
  inHeaders(ANY, { 'content-type': 'application/json; charset=utf-8' }),
  'names-decomposed: It sends the surname in decomposed Unicode',
  inForm({ surname: (surname) => surname.normalize('NFD') }),
  'indented-json: Its JSON is indented',
  inBody((call) => JSON.stringify(call, null, 2)),
  'escaped-json: Its JSON is escaped to ASCII',
  inBody((call) => JSON.stringify(call).replace(/[^ -~]/g, escaped)),
  'newline-after-json: Its JSON ends with a line break',
  inBody((call) => `${JSON.stringify(call)}\n`),
  'body-in-bytes: It hands its bodies over as bytes',
  inBody((call) => new TextEncoder().encode(JSON.stringify(call))),
  'accept-header: It sends headers for content and language',
  inHeaders(ANY, { accept: 'application/json', 'accept-language': 'de' }),
  'language-asked-for: It asks for several languages',
  inHeaders(ANY, { 'accept-language': 'ru, en;q=0.5', accept: '*/*' }),
  'connection-closed-each-time: It closes the connection after each call',
  inHeaders(ANY, { connection: 'close' }),
  'user-agent-of-its-own: It names itself in a header',
  inHeaders(ANY, { 'user-agent': 'Example/7.2 (a phone)' }),
  'no-cache-headers: It forbids caches in its headers',
  inHeaders(ANY, { 'cache-control': 'no-store', pragma: 'no-cache' }),
  'strategy-named: It names the search strategy that is meant anyway',
  inParams(AUTHENTICATE, { searchStrategy: 'PHONE' }),
  'exchange-token-early: It asks for the exchange token while the form is filled in',
  all(
    keepsToken,
    after('readPatient', (client, { sees }) => sees === 'form' && anyway(client.exchangeToken())),
  ),
  'exchange-token-kept-for-tries: It keeps an exchange token for further tries',
  keepsToken,
  'reads-once-more: It reads each record twice',
  instead('readPatient', async (right) => {
    const seen = await right();
    return seen.sees === 'patient' ? right() : seen;
  }),
  'reads-after-link: It reads the record after the link, and does not show that of authenticate',
  altered('fillForm', (client, { sees }) => (sees === 'patient' ? client.readPatient() : undefined)),
  'report-in-background: It reports the link in the background',
  instead('report', (right) => {
    void anyway(right());
    return '';
  }),
  'ids-with-gaps: Its ids have gaps',
  withIds((id) => id * 7),
  'params-left-out: It leaves params out where there are none',
  inCall([AUTH_LOGOUT, READ], { params: undefined }),
  'params-as-empty-list: It sends an empty list where there are no params',
  inCall([EXCHANGE, LOGOUT, DISCONNECT], () => ({ params: [] })),
  'path-without-slash: Its path lacks the slash at the end',
  inRequest(ANY, { url: (url) => url.replace(/\/$/, '') }),
  'looks-after-odd-reply: After an odd reply to authenticate it looks whether the record is there',
  atRefusal('authenticate', 'no_answer', async (client) => {
    const found = await anyway(client.ehr(READ, {}));
    return found?.patient ? found : undefined;
  }),
  'name-in-capitals: It sends the given name in capitals',
  inForm({ name: (name) => name.toUpperCase() }),
  'traced-by-a-header: A header of each call has a number by which it is traced',
  inHeaders(ANY, ({ id }) => ({ 'x-request-id': md5(`call ${id}`) })),
  'cred-null: It sends null where there is no cred, and where there is no apiKey',
  inCall(ANY, ({ cred = null }) => ({ cred, apiKey: null })),
  'card-empty: It names the search by phone, and sends an empty medical card',
  inParams(AUTHENTICATE, { searchStrategy: 'PHONE', medCardId: '' }),
  'gender-null: It sends null as gender',
  inForm({ gender: null }),
  { notPlayable: CHECKS_OF_GENDER },
  'read-repeated-once: It repeats a get_patient once that got no answer',
  repeatedAt(READ, 'no_answer'),
  'blanks-around-surname: It sends the surname with the blanks around it',
  inForm({ surname: (surname) => ` ${surname} ` }),
  'code-trimmed: It removes blanks around a code',
  instead('enterCode', (right, _client, { code }) => right({ code: ` ${code} `.trim() })),
  'reads-before-form: It asks for the record once more before it sends the form',
  before('fillForm', (client) => client.isFormOpen && client.readPatient()),
  'client-id-drawn: Headers of each call have a number that is drawn, and the time',
  inHeaders(ANY, ({ id }) => ({
    'x-request-id': md5(`${process.pid} ${now()} ${id}`),
    'x-time': String(now()),
  })),
  'signature-by-its-first-name: It reads the signature as user_sign alone',
  instead('show', (right, _client, { patient, user_sign }) => right({ patient, user_sign })),
  'signature-by-its-other-name: It reads the signature as userSign alone',
  instead('show', (right, _client, { patient, userSign }) => right({ patient, userSign })),
  'signature-not-kept: It reports the user_sign, and neither keeps it nor sends it with a sign-in',
  after('show', dropAllSigns),
  { notPlayable: [...CHECKS_OF_KEPT_SIGN, 'user-sign-of-own-link', 'user-sign-of-sign-in-as-given'] },
  'reads-in-parallel: It asks for the record by two calls at once',
  instead('readPatient', async (right, client) => {
    const [, seen] = await Promise.all([client.storage.session && anyway(client.ehr(READ, {})), right()]);
    return seen;
  }),
  'ids-count-all-calls: It reads the record once more of one person, so that later ids are greater',
  after('fillForm', (client, { sees }, { values }) =>
    sees === 'patient' && values.gender === 0 ? client.readPatient() : undefined,
  ),
  'late-replies-dropped: It goes on without a reply that takes long, and drops it when it comes',
  inBackground(
    'readPatient',
    (client) => client.ehr(READ, {}),
    () => undefined,
  ),
  'new-code-when-used-up: It asks for another code by itself when one is used up',
  atRefusal('confirm', [-35001, -35002], async (client) => {
    await anyway(client.resend());
  }),
  'null-for-nothing: It takes the result null for a success where it needs nothing of it',
  inReply([REQUEST_CODE, REPORT, AUTH_LOGOUT, DELETE_USER], ({ result, ...reply }) => ({
    ...reply,
    ...(result !== undefined && { result: result ?? {} }),
  })),
]);
