/** Defects in calls to the EHR server: envelope, transport, authInfo and patient data. */
import { foundBy } from '../defect.ts';
import { authInfoOf, type Outgoing, SAVE, sends, withId } from './outgoing.ts';
import { SELF_TEST_PASSWORD } from './secrets.ts';

type Members = Record<string, unknown>;

/** Changes the authInfo of each call. */
const info = (change: (authInfo: Members) => void) => sends((out) => change(authInfoOf(out) ?? {}));

/** Reads the record with the session of a call, which no server should do. */
const readsRecord = (send: typeof fetch, input: string | URL | Request, init?: RequestInit) => {
  const { params } = JSON.parse(String(init?.body)) as {
    params: { authInfo: { user: string; token: string } };
  };
  const { user, token } = params.authInfo;
  const call = { jsonrpc: '2.0', id: 1, method: 'patient.get_patient', params: {}, cred: { user, token } };
  const headers = { 'content-type': 'application/json' };
  return send(input, { method: 'POST', headers, body: JSON.stringify(call) })
    .then((reply) => reply.text())
    .catch(() => undefined);
};

const isSave = (init?: RequestInit) => (JSON.parse(String(init?.body)) as { method: string }).method === SAVE;

/** Deletes or sets a member of the envelope. */
const envelope = (change: (call: Members, out: Outgoing) => void) => sends((out) => change(out.call, out));

export const envelopeDefects = foundBy({
  'cred-user/cred-user-is-end-user': {
    title: 'cred.user is the end user',
    change: sends((out) => void Object.assign(out.call.cred, { user: authInfoOf(out).user })),
  },
  'cred-present/no-cred': { title: 'There is no cred', change: envelope((call) => delete call.cred) },
  'cred-present/cred-in-params': {
    title: 'cred stands among the params',
    change: envelope((call, out) => {
      out.call.params.cred = call.cred;
      delete call.cred;
    }),
  },
  'cred-present/cred-members-renamed': {
    title: 'cred has login and hash',
    change: envelope((call, out) => {
      call.cred = { login: out.call.cred.user, hash: out.call.cred.token };
    }),
  },
  'envelope/jsonrpc-missing': {
    title: 'jsonrpc is missing',
    change: envelope((call) => delete call.jsonrpc),
  },
  'envelope/jsonrpc-number': {
    title: 'jsonrpc is the number 2',
    change: envelope((call) => {
      call.jsonrpc = 2;
    }),
  },
  'envelope/id-missing': { title: 'The calls have no id', change: envelope((call) => delete call.id) },
  'envelope/params-by-position': {
    title: 'The params are a list',
    change: envelope((call, out) => {
      call.params = Object.values(out.call.params);
    }),
  },
  'ids-differ/same-id': { title: 'Every call has the id 1', change: { fetch: withId(() => 1) } },
  'call-is-post-json/content-type-text': {
    title: 'The Content-Type is text/plain',
    change: sends(({ init }) => void Object.assign(init.headers, { 'content-type': 'text/plain' })),
  },
  'call-is-post-json/form-encoded': {
    title: 'The call is sent as a form',
    change: sends(({ init, call }) => {
      init.headers['content-type'] = 'application/x-www-form-urlencoded';
      init.body = new URLSearchParams({ request: JSON.stringify(call) }).toString();
    }, 'bytes'),
  },
  'call-is-post-json/method-put': {
    title: 'Calls are sent by PUT',
    change: sends(({ init }) => void Object.assign(init, { method: 'PUT' })),
  },
  'call-is-post-json/body-cut-short': {
    title: 'Content-Length counts characters, so a letter beyond ASCII cuts the body',
    change: sends(({ init, call }) => {
      const text = JSON.stringify(call);
      init.body = Buffer.from(text).subarray(0, text.length);
    }, 'bytes'),
    seenIn: ['delighted/delighted-node#7', 'optimizely/javascript-sdk#1155'],
  },
  'call-path-has-version/path-without-version': {
    title: 'The path lacks the version',
    change: sends(({ url }) => void Object.assign(url, { pathname: '/' })),
  },
  'call-path-has-version/path-other-version': {
    title: 'The path names another version',
    change: sends(({ url }) => void Object.assign(url, { pathname: '/2.0/' })),
  },
  'auth-info-complete/ttl-as-string': {
    title: 'ttl is a string',
    change: info((own) => void Object.assign(own, { ttl: String(own.ttl) })),
  },
  'auth-info-complete/ttl-missing': { title: 'ttl is missing', change: info((own) => delete own.ttl) },
  'auth-info-complete/ttl-fraction': { title: 'ttl has a fraction', change: ttl((minutes) => minutes + 0.5) },
  'auth-info-complete/user-missing': {
    title: 'authInfo lacks the user',
    change: info((own) => delete own.user),
  },
  'auth-info-complete/user-as-number': {
    title: 'authInfo.user is a number',
    change: info((own) => void Object.assign(own, { user: 12_345 })),
  },
  'auth-info-complete/auth-info-flat': {
    title: 'user, token and ttl stand among the params',
    change: sends(({ call }) => {
      Object.assign(call.params, call.params.authInfo);
      delete call.params.authInfo;
    }),
  },
  'ttl-as-given/ttl-in-seconds': {
    title: 'The EHR server is sent the ttl in seconds',
    change: ttl((minutes) => minutes * 60),
    on: ['challenge', 'carried-sign'],
  },
  'ttl-as-given/ttl-told-shorter': {
    title: 'The client is told an hour less than the session lasts',
    on: ['challenge', 'carried-sign'],
  },
  'ttl-sane/ttl-in-milliseconds': {
    title: 'ttl counts milliseconds',
    change: ttl((minutes) => minutes * 60_000),
  },
  'ttl-sane/ttl-zero': { title: 'ttl is 0, meant as endless', change: ttl(() => 0) },
  'ttl-sane/ttl-as-date': { title: 'ttl is the time of expiry', change: ttl(() => 1_893_456_000) },
  'ttl-sent-as-told/ttl-in-hours': {
    title: 'The EHR server is sent the ttl in hours',
    change: ttl((minutes) => Math.ceil(minutes / 60)),
  },
  'exchange-token-is-string/exchange-token-renamed': {
    title: 'The parameter is called exchange_token',
    change: sends(({ call: { params } }) => {
      if (!('exchangeToken' in params)) return;
      params.exchange_token = params.exchangeToken;
      delete params.exchangeToken;
    }),
  },
  'no-internal-user-id/internal-user-id-sent': {
    title: 'authInfo carries internalUserId',
    change: info((own) => void Object.assign(own, { internalUserId: 'int-4711' })),
  },
  'secrets-not-in-clear/password-in-header': {
    title: 'The internal password stands in a header',
    change: header('x-internal-password', () => encodeURIComponent(SELF_TEST_PASSWORD)),
    on: ['challenge', 'carried-sign'],
  },
  'secrets-not-in-clear/basic-auth': {
    title: 'Name and password are sent as HTTP Basic too',
    change: header('authorization', ({ call: { cred } }) => {
      const pair = `${String(cred.user)}:${SELF_TEST_PASSWORD}`;
      return `Basic ${Buffer.from(pair).toString('base64')}`;
    }),
  },
  'secrets-not-in-clear/password-in-query': {
    title: 'The internal password stands in the query',
    change: sends(({ url }) => url.searchParams.set('password', SELF_TEST_PASSWORD)),
  },
  'tokens-in-body-alone/session-token-in-header': {
    title: 'The session token stands in the Authorization header of the calls',
    change: header('authorization', (out) => `Bearer ${authInfoOf(out).token}`),
    on: ['challenge-session-in-header'],
  },
  'tokens-in-body-alone/session-token-in-query': {
    title: 'User and session token stand in the query of the calls',
    change: sends((out) => {
      const { user, token } = authInfoOf(out);
      out.url.search = new URLSearchParams({ user: String(user), token: String(token) }).toString();
    }),
    on: ['challenge-session-in-query'],
  },
  'tokens-in-body-alone/exchange-token-in-cookie': {
    title: 'The exchange token stands in a cookie of the calls',
    change: sends(({ call: { params }, init: { headers } }) => {
      if (typeof params.exchangeToken === 'string') headers.cookie = `ticket=${params.exchangeToken}; v=1`;
    }),
  },
  'no-patient-data/proxies-patient-data': {
    title: 'The server passes patient properties on, in base64',
    change: sends(({ call }) => {
      call.params.profile = Buffer.from(JSON.stringify({ surname: 'Quokkabergström-001' })).toString(
        'base64',
      );
    }),
  },
  'only-internal-methods/reads-the-record': {
    title: 'The server fetches the patient record for itself',
    change: {
      fetch: (send) => async (input, init) => {
        const reply = await send(input, init);
        if (isSave(init)) await readsRecord(send, input, init);
        return reply;
      },
    },
  },
  'only-internal-methods/reads-before-exchange-token': {
    title: 'The record is asked for before an exchange token is saved',
    change: {
      fetch: (send) => async (input, init) => {
        await readsRecord(send, input, init);
        return send(input, init);
      },
    },
  },
  'only-internal-methods/reads-before-save': {
    title: 'The record is read before the link is saved',
    on: ['challenge', 'carried-sign'],
  },
  'no-redirect-followed/follows-redirects': {
    title: 'Redirects are followed with the credentials',
    change: { fetch: (send) => (input, init) => send(input, { ...init, redirect: 'follow' }) },
    on: ['challenge', 'carried-sign'],
    seenIn: ['apify/crawlee#4134', 'googleapis/google-http-java-client#2181'],
  },
  'foreign-certificate-refused/certificate-not-verified': {
    title: 'Certificates of the EHR server are not verified',
    change: { tls: 'authority-not-checked' },
    on: ['carried-sign'],
  },
  'other-name-refused/host-name-not-verified': {
    title: 'The host name in the certificate of the EHR server is not compared',
    change: { tls: 'name-not-checked' },
    on: ['carried-sign'],
  },
});

/** Sends another ttl, in minutes or not. */
function ttl(change: (minutes: number) => number) {
  return info((own) => void Object.assign(own, { ttl: change(Number(own.ttl)) }));
}

/** Sends a header of its own. */
function header(name: string, value: (out: Outgoing) => string) {
  return sends((out) => void Object.assign(out.init.headers, { [name]: value(out) }));
}
