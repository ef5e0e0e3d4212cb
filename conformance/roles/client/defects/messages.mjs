/**
 * Clients that send calls of a wrong form, values to a server that must not have them, or refuse right replies.
 * `operators.mjs` explains names and callbacks.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { defect } from '../../../engine/defects/defect.mjs';
import { faults } from '../../../examples/plain-client/faults.mjs';
import {
  ANY,
  AUTHENTICATE,
  after,
  anyway,
  around,
  before,
  CONFIRM,
  cached,
  DISCONNECT,
  EXCHANGE,
  followsRedirects,
  inCall,
  inForm,
  inParams,
  inReply,
  inRequest,
  LOGOUT,
  READ,
  REPORT,
  sendsBeacon,
} from './operators.mjs';

/** Refuses replies that a right client takes: an empty object, which stands in their place, is no reply. */
const refuses = (isRefused) => inReply(ANY, (reply) => (isRefused(reply) ? {} : reply));

const askAgain = (client) => anyway(client.auth(EXCHANGE, {}, client.ledger.sessions.at(-1)));

/** The length of YYYY-MM-DD. */
const DAY_CHARS = 10;
const dayOf = (date) => date.slice(0, DAY_CHARS);

const reports = (noteOf) =>
  inParams(REPORT, (_params, { ledger }) => ledger.form && { note: noteOf(ledger.form, ledger.record) });

const afterForm = (change) =>
  inRequest(ANY, (request, { ledger }) =>
    ledger.form && request.call.method.startsWith('auth.') ? change(ledger.form, request) : undefined,
  );

const lastRefusal = ({ ledger }) => ledger.failed(AUTHENTICATE).at(-1)?.error.code;

const header = ({ headers }, name, value) => ({ headers: { ...headers, [name]: value } });
const hash = (algorithm, text, form = 'hex') => createHash(algorithm).update(text).digest(form);
const base64 = (text, coding) => Buffer.from(text, coding).toString('base64');

export const messages = [
  defect('refusals-not-to-auth-server', 'failure-told-to-auth', {
    title: 'It tells the authorization server why the last form failed',
    change: inParams(EXCHANGE, (_params, client) => ({ previousFailure: lastRefusal(client) })),
  }),
  defect('no-patient-data-to-auth-server', 'form-to-auth', {
    title: 'It sends the whole form along with auth.exchange_token',
    change: faults['form-to-auth'],
  }),
  defect('no-patient-data-to-auth-server', 'surname-hashed-in-small-letters-to-auth', {
    title: 'It reports a SHA-256 of the surname in small letters',
    change: reports(({ surname }) => hash('sha256', surname.toLowerCase())),
  }),
  defect('no-patient-data-to-auth-server', 'form-compressed-to-auth', {
    title: 'It reports the form, compressed by gzip',
    change: reports((form) => base64(gzipSync(JSON.stringify(form)))),
  }),
  defect('no-patient-data-to-auth-server', 'phone-with-signs-to-auth', {
    title: 'It reports the phone of the form as people write it',
    change: reports(({ phone }) => phone.replace(/^(\d)(\d{3})(\d{3})(\d\d)(\d\d)$/, '+$1 ($2) $3-$4-$5')),
  }),
  defect('no-patient-data-to-auth-server', 'form-in-beacon', {
    title: 'A beacon to a path of the authorization server has the form',
    change: sendsBeacon('fillForm', ({ values }) => JSON.stringify(values)),
  }),
  defect('no-record-to-auth-server', 'record-to-auth', {
    title: 'It reports the e-mail address of the record',
    change: reports((_form, { email }) => email),
  }),
  defect('same-calls-for-each-patient', 'surname-split-over-calls', {
    title: 'A header of each call has some letters of the surname',
    change: afterForm(({ surname }, request) => {
      const at = [EXCHANGE, REPORT, 'auth.logout'].indexOf(request.call.method);
      return header(request, 'x-part', encodeURIComponent(surname.slice(at * 4, at * 4 + 4)));
    }),
  }),
  defect('same-calls-for-each-patient', 'phone-shifted-in-address', {
    title: 'The address has a number that is computed from the phone of the form',
    change: afterForm(({ phone }, { url }) => ({ url: `${url}?n=${Number(phone) * 7 + 3}` })),
  }),
  defect('same-calls-for-each-patient', 'gender-told-by-number-of-calls', {
    title: 'It makes one more call for one of the genders',
    change: after('fillForm', (client, _seen, { values }) =>
      values.gender === 0 ? anyway(client.auth(EXCHANGE, {}, client.storage.session)) : undefined,
    ),
  }),
  defect('code-to-auth-server-alone', 'code-to-ehr', {
    title: 'It sends the code of the sign-in to the EHR server, too',
    change: inParams(READ, (_params, { ledger }) => ({ code: ledger.code })),
  }),
  defect('no-secrets-in-addresses', 'token-in-address', {
    title: 'The address of get_patient has the session token',
    change: inRequest(READ, ({ url, call }) => ({ url: `${url}?token=${call.cred.token}` })),
  }),
  defect('no-secrets-in-headers', 'basic-authorization', {
    title: 'Each call of a session has user and token in the header Authorization',
    change: inRequest(ANY, (request) => {
      const { cred } = request.call;
      return cred && header(request, 'authorization', `Basic ${btoa(`${cred.user}:${cred.token}`)}`);
    }),
  }),
  defect('code-as-typed', 'leading-zero-dropped', {
    title: 'It drops the leading zero of a code',
    change: inParams(CONFIRM, { code: (code) => String(Number(code)) }),
  }),
  defect('post-of-json', 'body-cut-short', {
    title: 'The length of authenticate counts characters, so that its body is cut',
    change: inRequest(AUTHENTICATE, ({ call }) => {
      const body = JSON.stringify(call);
      return { body: Buffer.from(body).subarray(0, body.length) };
    }),
  }),
  defect('version-in-path', 'version-left-out', {
    title: 'The path of the logout lacks the version',
    change: inRequest(LOGOUT, { url: (url) => `${new URL(url).origin}/` }),
  }),
  defect('jsonrpc-member', 'jsonrpc-left-out', {
    title: 'The logout lacks jsonrpc',
    change: inCall(LOGOUT, { jsonrpc: undefined }),
  }),
  defect('ids-of-calls', 'id-null', {
    title: 'The logout has the id null',
    change: inCall(LOGOUT, { id: null }),
  }),
  defect('params-by-name', 'params-as-text', {
    title: 'get_patient has a text as params',
    change: inCall(READ, { params: 'none' }),
  }),
  defect('methods-are-texts', 'method-as-list', {
    title: 'The logout has its method in a list',
    change: inCall(LOGOUT, ({ method }) => ({ method: [method] })),
  }),
  defect('user-sign-of-sign-in-as-given', 'sign-cut-at-sign-in', {
    title: 'It sends a user_sign with a sign-in that is cut',
    change: inParams(
      CONFIRM,
      ({ ehr_user_sign }) => ehr_user_sign && { ehr_user_sign: ehr_user_sign.slice(0, 32) },
    ),
  }),
  defect('methods-of-clients', 'internal-method', {
    title: 'It calls save_exchange_token itself',
    change: after('exchangeToken', (client, exchangeToken) =>
      anyway(client.ehr('embedded_storage.save_exchange_token', { exchangeToken })),
    ),
  }),
  defect('methods-of-clients', 'authenticate-to-auth', {
    title: 'It sends authenticate to the authorization server first',
    change: before(AUTHENTICATE, (client) => anyway(client.auth(AUTHENTICATE, { exchangeToken: 'none' }))),
  }),
  defect('methods-of-clients', 'authenticate-by-its-published-name', {
    title: 'It calls authenticate by the name auth.authenticate',
    change: inCall(AUTHENTICATE, { method: 'auth.authenticate' }),
  }),
  defect('cred-of-newest-session', 'cred-hashed', {
    title: 'The logout has a hash of the token in cred',
    change: inCall(
      LOGOUT,
      ({ cred }) => cred && { cred: { ...cred, token: createHash('sha1').update(cred.token).digest('hex') } },
    ),
  }),
  defect('authenticate-without-cred', 'token-in-params-of-authenticate', {
    title: 'authenticate has the session token among its params',
    change: inParams(AUTHENTICATE, (_params, { storage: { session } }) => ({
      authInfo: { user: session.user, token: session.token },
    })),
  }),
  defect('authenticate-without-cred', 'cred-in-authenticate', {
    title: 'authenticate has the cred of the session',
    change: around(AUTHENTICATE, (right, { storage }, params) => right(params, storage.session)),
  }),
  defect('params-of-authenticate', 'exchange-token-in-snake-case', {
    title: 'authenticate has the exchange token as exchange_token',
    change: inParams(AUTHENTICATE, ({ exchangeToken }) => ({
      exchange_token: exchangeToken,
      exchangeToken: undefined,
    })),
  }),
  defect('ended-values-not-sent-again', 'session-sent-after-logout', {
    title: 'It asks for an exchange token with a session that is over',
    change: after('logout', askAgain),
  }),
  defect('ended-values-not-sent-again', 'code-sent-after-logout', {
    title: 'It confirms the code of the last sign-in again after a logout',
    change: after('logout', (client) => {
      const { params } = client.ledger.answered(CONFIRM).at(-1);
      return anyway(client.auth(CONFIRM, params));
    }),
  }),
  defect('exchange-token-as-given', 'exchange-token-of-another-person', {
    title: 'It goes on with the exchange token of the person before',
    change: cached(EXCHANGE, (ledger, former) =>
      ledger.after(former).every(({ method, result }) => method !== AUTHENTICATE || !result),
    ),
  }),
  defect('exchange-token-of-each-person', 'form-of-person-before-sent', {
    title: 'It sends the form that was filled in first, whoever fills in the next',
    change: around('fillForm', (right, { ledger }, action) =>
      right({ ...action, values: ledger.actions.find((each) => each.do === 'fillForm').values }),
    ),
  }),
  defect('user-sign-as-given', 'sign-cut', {
    title: 'It reports a user_sign that is cut',
    change: inParams(REPORT, { user_sign: (user_sign) => user_sign.slice(0, 32) }),
  }),
  defect('empty-params-as-object', 'removal-params-as-list', {
    title: 'It sends an empty list where the EHR server shows an empty object',
    change: inCall([LOGOUT, DISCONNECT], () => ({ params: [] })),
  }),
  defect('removals-without-params', 'removal-with-user', {
    title: 'The removals name the user in params',
    change: inCall([LOGOUT, DISCONNECT], ({ cred }) => ({ params: { user: cred.user } })),
  }),
  defect('no-redirect-followed', 'follows-redirects', {
    title: 'It follows redirects with what a call carries',
    change: followsRedirects,
  }),
  defect('replies-of-other-servers', 'ids-must-be-texts', {
    title: 'It refuses replies whose id is a number',
    change: refuses(({ id }) => typeof id !== 'string'),
  }),
  defect('replies-of-other-servers', 'refuses-unknown-members', {
    title: 'It refuses replies with members that it does not know',
    change: refuses(({ servedBy }) => servedBy !== undefined),
  }),
  defect('errors-by-number-alone', 'decides-by-reason-alone', {
    title: 'It refuses errors without a reason',
    change: refuses(({ error }) => error && !error.data?.reason),
  }),
  defect('names-as-typed', 'names-transliterated', {
    title: 'It replaces the letters of the surname that are not ASCII',
    change: inForm({ surname: (surname) => surname.replace(/[^ -~]/g, 'x') }),
  }),
  defect('names-of-several-words', 'apostrophe-dropped', {
    title: 'It drops the apostrophe of a surname',
    change: inForm({ surname: (surname) => surname.replace("'", '') }),
  }),
  defect('date-of-birth-as-typed', 'birthday-a-day-off', {
    title: 'It turns the date of birth into UTC: the day before is sent',
    change: inForm(({ date }) => {
      const before = new Date(Date.parse(`${dayOf(date)}T00:00:00Z`) - 1);
      return { date: dayOf(before.toISOString()) + date.slice(DAY_CHARS) };
    }),
  }),
  defect('date-of-birth-as-typed', 'midnight-here-turned-into-utc', {
    title: 'It takes the date of birth for midnight here, and sends its day in UTC',
    change: inForm(({ date }) => ({
      date: dayOf(new Date(`${dayOf(date)}T00:00:00`).toISOString()) + date.slice(DAY_CHARS),
    })),
  }),
  defect('date-of-birth-as-typed', 'midnight-in-utc-read-here', {
    title: 'It takes the date of birth for midnight in UTC, and sends the day that it is here',
    change: inForm(({ date }) => ({
      date: new Date(dayOf(date)).toLocaleDateString('sv') + date.slice(DAY_CHARS),
    })),
  }),
  defect('date-of-birth-as-typed', 'date-day-first', {
    title: 'It sends the date of birth with the day first',
    change: inForm({ date: (date) => `${dayOf(date).split('-').reverse().join('.')} 00:00:00.000` }),
  }),
  defect('date-of-birth-in-full-form', 'date-in-iso', {
    title: 'It sends the date of birth as an ISO timestamp',
    change: inForm({ date: (date) => `${dayOf(date)}T00:00:00.000Z` }),
  }),
  defect('date-of-birth-in-full-form', 'date-without-time', {
    title: 'It sends the date of birth without a time of day',
    change: inForm({ date: dayOf }),
  }),
  defect('phone-in-digits', 'phone-with-plus', {
    title: 'It sends the phone with a plus sign',
    change: inForm({ phone: (phone) => `+${phone}` }),
  }),
  defect('phone-in-digits', 'extension-joined', {
    title: 'It sends the extension as a part of the phone',
    change: inForm((_form, { ledger }) => ({ phone: ledger.form.phone.replace(/\D/g, '') })),
  }),
  defect('phone-as-people-write-it', 'phone-with-signs-refused-untold', {
    title: 'It refuses a phone with signs, and says nothing',
    change: around('fillForm', (right, _client, { values }) =>
      /\D/.test(values.phone) ? { sees: 'form', text: '' } : right(),
    ),
  }),
  defect('gender-as-code', 'gender-as-text', {
    title: 'It sends the gender as a word',
    change: inForm({ gender: 'female' }),
  }),
];
