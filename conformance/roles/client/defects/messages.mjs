/** Clients that send calls of a wrong form or to a wrong address, or refuse right replies. */
import { createHash } from 'node:crypto';
import { defect } from '../../../engine/defects/defect.mjs';
import {
  ANY,
  AUTHENTICATE,
  after,
  anyway,
  around,
  before,
  CONFIRM,
  DISCONNECT,
  EXCHANGE,
  followsRedirects,
  inCall,
  inParams,
  inReply,
  inRequest,
  LOGOUT,
  memoised,
  READ,
  REPORT,
} from './operators.mjs';

/** Refuses replies that a right client takes: an empty object, which stands in their place, is no reply. */
const refuses = (isRefused) => inReply(ANY, (reply) => (isRefused(reply) ? {} : reply));

const askAgain = (client) => anyway(client.auth(EXCHANGE, {}, client.ledger.sessions.at(-1)));

export const messages = [
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
    change: memoised(EXCHANGE, (ledger, former) =>
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
];
