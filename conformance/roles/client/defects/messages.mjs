/**
 * Clients that send calls of a wrong form or to a wrong address, or refuse right replies.
 * A text `id: title` begins a defect; its change follows, then `owner/repo#number` of public clients that had
 * it. The key of a list is the check that must find its defects.
 */
import { createHash } from 'node:crypto';
import { now } from '../../../examples/plain-client/faults.mjs';
import {
  ANY,
  AUTH_LOGOUT,
  AUTHENTICATE,
  after,
  anyway,
  before,
  CONFIRM,
  DISCONNECT,
  EXCHANGE,
  inCall,
  inCred,
  inParams,
  inReply,
  inRequest,
  instead,
  LOGOUT,
  memoised,
  READ,
  REPORT,
  withIds,
} from './operators.mjs';
import { defectsOf } from './row.mjs';

/** Sends calls of some methods with another content type, and no further header. */
const contentType = (methods, type) => inRequest(methods, () => ({ headers: { 'content-type': type } }));

/** Refuses replies that a right client takes: an empty object, which stands in their place, is no reply. */
const refuses = (isRefused) => inReply(ANY, (reply) => (isRefused(reply) ? {} : reply));

/** Asks for an exchange token with the last session, whether that is over or not. */
const askAgain = (client) => anyway(client.auth(EXCHANGE, {}, client.ledger.sessions.at(-1)));
const MINUTE_MS = 60_000;

export const messages = defectsOf({
  'json-declared': ['text-plain: Its calls have the content type text/plain', contentType(ANY, 'text/plain')],
  'post-of-json': [
    'body-cut-short: The length of authenticate counts characters, so that its body is cut',
    inRequest(AUTHENTICATE, ({ call }) => {
      const body = JSON.stringify(call);
      return { body: Buffer.from(body).subarray(0, body.length) };
    }),
    'optimizely/javascript-sdk#1155',
    'expressjs/body-parser#159',
    'put-for-post: It logs out by PUT',
    inRequest(LOGOUT, { method: 'PUT' }),
  ],
  'version-in-path': [
    'version-in-capitals: The path of the logout has the version in capitals',
    inRequest(LOGOUT, { url: (url) => url.replace('alpha', 'ALPHA') }),
    'version-left-out: The path of the logout lacks the version',
    inRequest(LOGOUT, { url: (url) => `${new URL(url).origin}/` }),
    'version-twice: The path of the logout has the version twice',
    inRequest(LOGOUT, { url: (url) => `${url}1.0-alpha/` }),
  ],
  'jsonrpc-member': [
    'jsonrpc-left-out: The logout lacks jsonrpc',
    inCall(LOGOUT, { jsonrpc: undefined }),
    'jsonrpc-as-number: The logout has jsonrpc as a number',
    inCall(LOGOUT, { jsonrpc: 2 }),
  ],
  'ids-of-calls': ['id-null: The logout has the id null', inCall(LOGOUT, { id: null })],
  'params-by-name': ['params-as-text: get_patient has a text as params', inCall(READ, { params: 'none' })],
  'calls-to-auth-server': [
    'ids-left-out: No call has an id, so that each answer is an empty 204',
    inCall(ANY, { id: undefined }),
    'form-encoded: It sends auth.logout as a web form',
    inRequest(AUTH_LOGOUT, ({ call }) => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ request: JSON.stringify(call) }).toString(),
    })),
    'id-left-out: auth.logout has no id',
    inCall(AUTH_LOGOUT, { id: undefined }),
    'params-as-list: auth.logout has a list of values as params',
    inCall(AUTH_LOGOUT, ({ cred }) => ({ params: [cred.user] })),
  ],
  'methods-known': [
    'method-in-capitals: It writes get_patient in capitals',
    inCall(READ, { method: 'Patient.Get_patient' }),
    'ehr-method-to-auth: It sends the logout of the EHR server to the authorization server, too',
    before('logout', (client) => anyway(client.auth(LOGOUT, {}, client.storage.session))),
  ],
  'methods-are-texts': [
    'method-as-list: The logout has its method in a list',
    inCall(LOGOUT, ({ method }) => ({ method: [method] })),
  ],
  'report-with-user-sign': [
    'report-without-signature: It reports the link without a user_sign, too',
    before('report', (client) => anyway(client.auth(REPORT, {}, client.storage.session))),
  ],
  'user-sign-of-sign-in-as-given': [
    'sign-cut-at-sign-in: It sends a user_sign with a sign-in that is cut',
    inParams(CONFIRM, ({ ehr_user_sign }) => ehr_user_sign && { ehr_user_sign: ehr_user_sign.slice(0, 32) }),
  ],
  'methods-of-clients': [
    'internal-method: It calls save_exchange_token itself',
    after('exchangeToken', (client, exchangeToken) =>
      anyway(client.ehr('embedded_storage.save_exchange_token', { exchangeToken })),
    ),
    'authenticate-to-auth: It sends authenticate to the authorization server first',
    before(AUTHENTICATE, (client) => anyway(client.auth(AUTHENTICATE, { exchangeToken: 'none' }))),
  ],
  'cred-of-newest-session': [
    'cred-without-user: The logout has a cred without user',
    inCred(LOGOUT, { user: undefined }),
    'cred-hashed: The logout has a hash of the token in cred',
    inCred(LOGOUT, { token: (token) => createHash('sha1').update(token).digest('hex') }),
  ],
  'cred-of-other-calls': [
    'cred-of-former-session: It goes on with the session of the first sign-in',
    inCred(ANY, (_cred, { ledger }) => ({ user: ledger.sessions[0].user, token: ledger.sessions[0].token })),
    'cred-in-params: get_patient has its cred among the params',
    inCall(READ, ({ params, cred }) => ({ params: { ...params, cred }, cred: undefined })),
    'exchange-token-without-cred: It asks for an exchange token without cred',
    inCall(EXCHANGE, { cred: undefined }),
    'report-without-cred: It reports the link without cred',
    inCall(REPORT, { cred: undefined }),
  ],
  'authenticate-without-cred': [
    'token-in-params-of-authenticate: authenticate has the session token among its params',
    inParams(AUTHENTICATE, (_params, { storage: { session } }) => ({
      authInfo: { user: session.user, token: session.token },
    })),
    'cred-in-authenticate: authenticate has the cred of the session',
    instead(AUTHENTICATE, (right, { storage }, params) => right(params, storage.session)),
  ],
  'params-of-authenticate': [
    'exchange-token-in-snake-case: authenticate has the exchange token as exchange_token',
    inParams(AUTHENTICATE, ({ exchangeToken }) => ({
      exchange_token: exchangeToken,
      exchangeToken: undefined,
    })),
    'properties-flat: authenticate has the properties beside the exchange token',
    inParams(AUTHENTICATE, ({ patientProperties }) => ({
      ...patientProperties,
      patientProperties: undefined,
    })),
    'properties-as-text: authenticate has the properties as a text of JSON',
    inParams(AUTHENTICATE, ({ patientProperties }) => ({
      patientProperties: JSON.stringify(patientProperties),
    })),
  ],
  'search-strategy-known': [
    'card-without-number: It searches by card and sends none',
    inParams(AUTHENTICATE, { searchStrategy: 'MEDCARD' }),
    'strategy-made-up: It names a search strategy of its own',
    inParams(AUTHENTICATE, { searchStrategy: 'NAME' }),
  ],
  'ids-differ-in-an-action': [
    'ids-all-one: All its calls have the same id',
    withIds(() => 1),
    'ids-of-two-values: The ids of its calls take turns between two values',
    withIds((id) => id % 2),
    'ids-of-the-minute: The ids of its calls are the minute',
    withIds(() => Math.floor(now() / MINUTE_MS)),
  ],
  'ended-values-not-sent-again': [
    'session-sent-after-logout: It asks for an exchange token with a session that is over',
    after('logout', askAgain),
    'session-sent-after-deletion: It asks for an exchange token with a session that was deleted',
    after('deleteAccount', askAgain),
    'code-sent-after-logout: It confirms the code of the last sign-in again after a logout',
    after('logout', (client) => {
      const { params } = client.ledger.answered(CONFIRM).at(-1);
      return anyway(client.auth(CONFIRM, params));
    }),
  ],
  'exchange-token-as-given': [
    'exchange-token-in-lower-case: It sends the exchange token in lower case',
    inParams(AUTHENTICATE, ({ exchangeToken }) => ({ exchangeToken: exchangeToken.toLowerCase() })),
    'exchange-token-padded: It sends the exchange token with padding',
    inParams(AUTHENTICATE, { exchangeToken: (exchangeToken) => `${exchangeToken}=` }),
    'exchange-token-of-another-person: It goes on with the exchange token of the person before',
    memoised(EXCHANGE, (ledger, former) =>
      ledger.after(former).every(({ method, result }) => method !== AUTHENTICATE || !result),
    ),
  ],
  'user-sign-as-given': [
    'record-id-for-sign: It reports the id of the record in place of the user_sign',
    inParams(REPORT, (_params, { ledger }) => ({ user_sign: ledger.record.id })),
    'sign-cut: It reports a user_sign that is cut',
    inParams(REPORT, { user_sign: (user_sign) => user_sign.slice(0, 32) }),
  ],
  'removals-without-params': [
    'removal-with-user: The removals name the user in params',
    inCall([LOGOUT, DISCONNECT], ({ cred }) => ({ params: { user: cred.user } })),
    'removal-params-as-list: The removals have a list of values as params',
    inCall([LOGOUT, DISCONNECT], ({ cred }) => ({ params: [cred.user] })),
  ],
  'no-redirect-followed': [
    'follows-redirects: It follows redirects with what a call carries',
    inRequest(ANY, { redirect: 'follow' }),
  ],
  'replies-of-other-servers': [
    'ids-must-be-texts: It refuses replies whose id is a number',
    refuses(({ id }) => typeof id !== 'string'),
    'refuses-unknown-members: It refuses replies with members that it does not know',
    refuses(({ servedBy }) => servedBy !== undefined),
  ],
  'errors-by-number-alone': [
    'decides-by-reason-alone: It refuses errors without a reason',
    refuses(({ error }) => error && !error.data?.reason),
  ],
});
