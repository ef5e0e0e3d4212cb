/** Clients that send calls of a wrong form or to a wrong address, or refuse right replies. */
import { createHash } from 'node:crypto';
import {
  ANY,
  AUTHENTICATE,
  after,
  anyway,
  before,
  CONFIRM,
  DISCONNECT,
  EXCHANGE,
  followsRedirects,
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
} from './operators.mjs';
import { defectsOf } from './row.mjs';

/** Refuses replies that a right client takes: an empty object, which stands in their place, is no reply. */
const refuses = (isRefused) => inReply(ANY, (reply) => (isRefused(reply) ? {} : reply));

const askAgain = (client) => anyway(client.auth(EXCHANGE, {}, client.ledger.sessions.at(-1)));

export const messages = defectsOf({
  'post-of-json': [
    'body-cut-short: The length of authenticate counts characters, so that its body is cut',
    inRequest(AUTHENTICATE, ({ call }) => {
      const body = JSON.stringify(call);
      return { body: Buffer.from(body).subarray(0, body.length) };
    }),
  ],
  'version-in-path': [
    'version-left-out: The path of the logout lacks the version',
    inRequest(LOGOUT, { url: (url) => `${new URL(url).origin}/` }),
  ],
  'jsonrpc-member': ['jsonrpc-left-out: The logout lacks jsonrpc', inCall(LOGOUT, { jsonrpc: undefined })],
  'ids-of-calls': ['id-null: The logout has the id null', inCall(LOGOUT, { id: null })],
  'params-by-name': ['params-as-text: get_patient has a text as params', inCall(READ, { params: 'none' })],
  'methods-are-texts': [
    'method-as-list: The logout has its method in a list',
    inCall(LOGOUT, ({ method }) => ({ method: [method] })),
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
    'cred-hashed: The logout has a hash of the token in cred',
    inCred(LOGOUT, { token: (token) => createHash('sha1').update(token).digest('hex') }),
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
  ],
  'ended-values-not-sent-again': [
    'session-sent-after-logout: It asks for an exchange token with a session that is over',
    after('logout', askAgain),
    'code-sent-after-logout: It confirms the code of the last sign-in again after a logout',
    after('logout', (client) => {
      const { params } = client.ledger.answered(CONFIRM).at(-1);
      return anyway(client.auth(CONFIRM, params));
    }),
  ],
  'exchange-token-as-given': [
    'exchange-token-of-another-person: It goes on with the exchange token of the person before',
    memoised(EXCHANGE, (ledger, former) =>
      ledger.after(former).every(({ method, result }) => method !== AUTHENTICATE || !result),
    ),
  ],
  'exchange-token-of-each-person': [
    'form-of-person-before-sent: It sends the form that was filled in first, whoever fills in the next',
    instead('fillForm', (right, { ledger }, action) =>
      right({ ...action, values: ledger.actions.find((each) => each.do === 'fillForm').values }),
    ),
  ],
  'user-sign-as-given': [
    'sign-cut: It reports a user_sign that is cut',
    inParams(REPORT, { user_sign: (user_sign) => user_sign.slice(0, 32) }),
  ],
  'removals-without-params': [
    'removal-with-user: The removals name the user in params',
    inCall([LOGOUT, DISCONNECT], ({ cred }) => ({ params: { user: cred.user } })),
  ],
  'no-redirect-followed': [
    'follows-redirects: It follows redirects with what a call carries',
    followsRedirects,
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
