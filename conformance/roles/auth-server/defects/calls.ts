/** Defects in the form of calls to the EHR server, and in the digest with which they are proven. */
import { createHash } from 'node:crypto';
import { digest } from '#protocol/wire/hashes.ts';
import type { Members } from '../../../engine/defects/rpc-call.ts';
import { authInfoOf, callIn, changed, type Outgoing, sends } from './change-calls.ts';
import {
  before,
  type Change,
  CONFIRM,
  defect,
  type Mock,
  membersOf,
  REPORT,
  tells,
  withParams,
  wraps,
} from './defect.ts';

/** A letter beyond ASCII shows a wrong encoding, blanks at the ends their loss. */
export const SELF_TEST_PASSWORD = ' self-test-pässword ';

/** Has a letter beyond ASCII, so that a Content-Length in characters, not bytes, cuts the body short. */
export const SELF_TEST_USER = 'auth-sërver';

const SAVE = 'embedded_storage.save_auth_info';

type Digested = { call: Outgoing['call']; mock: Mock };

const sendsBy = (change: (outgoing: Outgoing, mock: Mock) => void): Change => ({
  // A mock without a `fetch` of its own sends nothing through `send`.
  fetch: (send) => send,
  parts(mock) {
    mock.send = changed((outgoing) => change(outgoing, mock))(mock.send, mock.seen);
  },
});

/** Computes `cred.token` of each call with `make` instead of as the interface says. */
const digests = (make: (password: string, secret: string, digested: Digested) => string) =>
  sendsBy(({ call }, mock) => {
    call.cred.token = make(mock.password, secretOf(mock, call), { call, mock });
  });

/** Computes the digests over user_signs with `make`; the digests over exchange tokens stay right. */
const signDigests = (make: (password: string, sign: string, digested: Digested) => string): Change =>
  digests((password, secret, digested) =>
    digested.call.method === SAVE ? make(password, secret, digested) : digest(password, secret),
  );

function secretOf({ seen }: Mock, { params }: Outgoing['call']): string {
  const { token } = params.authInfo as { token: string };
  return String(params.exchangeToken ?? seen.notes<string>('signs').get(token));
}

const hash = (algorithm: string, data: string | Buffer, encoding: 'hex' | 'base64' = 'hex') =>
  createHash(algorithm).update(data).digest(encoding);

/** Stands for an empty user_sign, which the mock would refuse. */
const NO_SIGN = 'no-sign';

export const digestDefects = [
  defect('digest-shape', 'digest-upper-case', {
    title: 'The digest is in upper case',
    ...digests((password, secret) => digest(password, secret).toUpperCase()),
  }),
  defect('digest-shape', 'digest-base64', {
    title: 'The digest is in base64',
    ...digests((password, secret) => hash('sha1', password + secret, 'base64')),
  }),
  defect('exchange-token-digest', 'secret-first', {
    title: 'The secret is digested before the password',
    ...digests((password, secret) => digest(secret, password)),
  }),
  defect('exchange-token-digest', 'latin1-password', {
    title: 'The password is digested as Latin-1',
    ...digests((password, secret) => hash('sha1', Buffer.from(password + secret, 'latin1'))),
  }),
  defect('exchange-token-digest', 'password-trimmed', {
    title: 'The internal password loses the blanks at its ends',
    ...digests((password, secret) => digest(password.trim(), secret)),
  }),
  defect('exchange-token-digest', 'digest-over-session-token', {
    title: 'The digest of an exchange token is over the session token',
    ...digests((password, secret, { call: { params } }) =>
      digest(password, 'exchangeToken' in params ? (params.authInfo as { token: string }).token : secret),
    ),
  }),
  defect('user-sign-digest', 'sign-secret-first', {
    title: 'The user_sign is digested before the password',
    ...signDigests((password, sign) => digest(sign, password)),
  }),
  defect('user-sign-digest', 'sign-trimmed', {
    title: 'The last character of the user_sign is lost',
    ...signDigests((password, sign) => digest(password, sign.slice(0, -1))),
  }),
  defect('user-sign-digest', 'sign-lower-case', {
    title: 'The user_sign is digested in lower case',
    ...signDigests((password, sign) => digest(password, sign.toLowerCase())),
  }),
  defect('user-sign-digest', 'empty-sign-taken', {
    title: 'An empty user_sign is taken, and the digest made over the password alone',
    ...signDigests((password, sign) => digest(password, sign === NO_SIGN ? '' : sign)),
    ...before(REPORT, ({ call, params }) =>
      params.user_sign === '' ? withParams(call, { user_sign: NO_SIGN }) : undefined,
    ),
  }),
  defect('user-sign-digest', 'sign-left-out', {
    title: 'The user_sign is left out of the digest',
    ...signDigests((password) => digest(password, '')),
  }),
  defect('long-sign-digested', 'long-sign-cut', {
    title: 'The digest is over the first 64 characters of the user_sign',
    ...signDigests((password, sign) => digest(password, sign.slice(0, 64))),
  }),
  defect('own-user-sign', 'sign-of-first-user', {
    title: "The first user's user_sign is used for everybody",
    ...signDigests((password, sign, { mock: { seen } }) => {
      const [first = sign] = seen.notes<string>('signs').values();
      return digest(password, first);
    }),
  }),
  defect('calls-accepted', 'accepts-nothing', {
    title: 'Sessions are saved with a token that the EHR server refuses',
    // As long as a right digest, the SHA-1 in hex.
    ...signDigests(() => '0'.repeat(40)),
  }),
  defect('secrets-not-in-clear', 'password-in-clear', {
    title: 'cred.token is the password itself',
    ...digests((password) => password),
  }),
  defect('secrets-not-in-clear', 'sign-in-clear', {
    title: 'The user_sign is sent beside the digest',
    ...signDigests((password, sign, { call }) => {
      call.params.userSign = sign;
      return digest(password, sign);
    }),
  }),
];

const info = (change: (authInfo: Members) => void) => sends((out) => change(authInfoOf(out) ?? {}));

const readsRecord = (send: typeof fetch, input: string | URL | Request, init?: RequestInit) => {
  const { user, token } = authInfoOf({ call: callIn(init) });
  const call = { jsonrpc: '2.0', id: 1, method: 'patient.get_patient', params: {}, cred: { user, token } };
  const headers = { 'content-type': 'application/json' };
  return send(input, { method: 'POST', headers, body: JSON.stringify(call) })
    .then((reply) => reply.text())
    .catch(() => undefined);
};

const envelope = (change: (call: Members, out: Outgoing) => void) => sends((out) => change(out.call, out));

export const envelopeDefects = [
  defect('cred-user', 'cred-user-is-end-user', {
    title: 'cred.user is the end user',
    ...sends((out) => void Object.assign(out.call.cred, { user: authInfoOf(out).user })),
  }),
  defect('cred-present', 'no-cred', { title: 'There is no cred', ...envelope((call) => delete call.cred) }),
  defect('cred-present', 'cred-in-params', {
    title: 'cred stands among the params',
    ...envelope((call, out) => {
      out.call.params.cred = call.cred;
      delete call.cred;
    }),
  }),
  defect('envelope', 'jsonrpc-missing', {
    title: 'jsonrpc is missing',
    ...envelope((call) => delete call.jsonrpc),
  }),
  defect('envelope', 'id-missing', { title: 'The calls have no id', ...envelope((call) => delete call.id) }),
  defect('envelope', 'params-by-position', {
    title: 'The params are a list',
    ...envelope((call, out) => {
      call.params = Object.values(out.call.params);
    }),
  }),
  defect('call-is-post-json', 'form-encoded', {
    title: 'The call is sent as a form',
    ...sends(({ init, call }) => {
      init.headers['content-type'] = 'application/x-www-form-urlencoded';
      init.body = new URLSearchParams({ request: JSON.stringify(call) }).toString();
    }),
  }),
  defect('call-is-post-json', 'body-cut-short', {
    title: 'Content-Length counts characters, so a letter beyond ASCII cuts the body',
    ...sends(({ init, call }) => {
      const text = JSON.stringify(call);
      init.body = Buffer.from(text).subarray(0, text.length);
    }),
  }),
  defect('call-path-has-version', 'path-without-version', {
    title: 'The path lacks the version',
    ...sends(({ url }) => void Object.assign(url, { pathname: '/' })),
  }),
  defect('auth-info-complete', 'ttl-as-string', {
    title: 'ttl is a string',
    ...info((own) => void Object.assign(own, { ttl: String(own.ttl) })),
  }),
  defect('auth-info-complete', 'user-missing', {
    title: 'authInfo lacks the user',
    ...info((own) => delete own.user),
  }),
  defect('auth-info-complete', 'auth-info-flat', {
    title: 'user, token and ttl stand among the params',
    ...sends(({ call }) => {
      Object.assign(call.params, call.params.authInfo);
      delete call.params.authInfo;
    }),
  }),
  defect('ttl-sane', 'ttl-zero', { title: 'ttl is 0, meant as endless', ...ttl(() => 0) }),
  defect('ttl-sane', 'ttl-as-date', {
    title: 'ttl is the time of expiry',
    // The beginning of 2030, in seconds since 1970.
    ...ttl(() => 1_893_456_000),
  }),
  defect('ttl-sane', 'ttl-in-two-units', {
    title: 'The ttl is sent in seconds with an exchange token, and in minutes otherwise',
    ...sends((outgoing) => {
      if (outgoing.call.params.exchangeToken === undefined) return;
      const authInfo = authInfoOf(outgoing);
      authInfo.ttl = Number(authInfo.ttl) * 60;
    }),
  }),
  defect('ttl-counts-minutes', 'ttl-in-hours', {
    title: 'The EHR server is sent the ttl in hours',
    ...ttl((minutes) => Math.ceil(minutes / 60)),
  }),
  defect('ttl-counts-minutes', 'ttl-in-seconds-everywhere', {
    title: 'Client and EHR server are told the ttl in seconds',
    ...sends((out) => void Object.assign(authInfoOf(out), { ttl: Number(authInfoOf(out).ttl) * 60 })),
    ...tells(CONFIRM, ({ result }) => {
      const authInfo = membersOf(result.authInfo);
      return { authInfo: { ...authInfo, ttl: Number(authInfo.ttl) * 60 } };
    }),
  }),
  defect('exchange-token-is-string', 'exchange-token-renamed', {
    title: 'The parameter is called exchange_token',
    ...sends(({ call: { params } }) => {
      if (!('exchangeToken' in params)) return;
      params.exchange_token = params.exchangeToken;
      delete params.exchangeToken;
    }),
  }),
  defect('no-internal-user-id', 'internal-user-id-sent', {
    title: 'authInfo carries internalUserId',
    ...info((own) => void Object.assign(own, { internalUserId: 'int-4711' })),
  }),
  defect('secrets-not-in-clear', 'password-in-header', {
    title: 'The internal password stands in a header',
    ...header('x-internal-password', () => encodeURIComponent(SELF_TEST_PASSWORD)),
  }),
  defect('secrets-not-in-clear', 'basic-auth', {
    title: 'Name and password are sent as HTTP Basic too',
    ...header('authorization', ({ call: { cred } }) => {
      const pair = `${String(cred.user)}:${SELF_TEST_PASSWORD}`;
      return `Basic ${Buffer.from(pair).toString('base64')}`;
    }),
  }),
  defect('tokens-in-body-alone', 'session-token-in-header', {
    title: 'The session token stands in the Authorization header of the calls',
    ...header('authorization', (out) => `Bearer ${authInfoOf(out).token}`),
  }),
  defect('tokens-in-body-alone', 'exchange-token-in-cookie', {
    title: 'The exchange token stands in a cookie of the calls',
    ...sends(({ call: { params }, init: { headers } }) => {
      if (typeof params.exchangeToken === 'string') headers.cookie = `ticket=${params.exchangeToken}; v=1`;
    }),
  }),
  defect('no-patient-data', 'proxies-patient-data', {
    title: 'The server passes patient properties on, in base64',
    ...sends(({ call }) => {
      call.params.profile = Buffer.from(JSON.stringify({ surname: 'Quokkabergström-001' })).toString(
        'base64',
      );
    }),
  }),
  defect('no-patient-data', 'properties-saved', {
    title: 'A session is saved with the phone as patientProperties',
    ...sends(({ call }) => void Object.assign(call.params, { patientProperties: { phone: '79990001122' } })),
  }),
  defect('phone-not-passed-on', 'phone-as-login', {
    title: 'authInfo names the phone as login',
    ...sendsBy((out, { store }) => {
      const info = authInfoOf(out);
      info.login = store.directory.identityOf(String(info.user))?.value;
    }),
  }),
  defect('phone-not-passed-on', 'user-is-hash-of-phone', {
    title: 'The user id is the SHA-256 of the phone',
    ...wraps('directory', 'ensureUser', (ensureUser, _mock, given) =>
      ensureUser({ ...given, user: hash('sha256', given.identity.value) }),
    ),
  }),
  defect('only-internal-methods', 'reads-the-record', {
    title: 'The server fetches the patient record for itself',
    fetch: (send) => async (input, init) => {
      const reply = await send(input, init);
      if (callIn(init).method === SAVE) await readsRecord(send, input, init);
      return reply;
    },
  }),
  defect('only-internal-methods', 'reads-before-exchange-token', {
    title: 'The record is asked for before an exchange token is saved',
    fetch: (send) => async (input, init) => {
      await readsRecord(send, input, init);
      return send(input, init);
    },
  }),
  defect('no-redirect-followed', 'follows-redirects', {
    title: 'Redirects are followed with the credentials',
    fetch: (send) => (input, init) => send(input, { ...init, redirect: 'follow' }),
  }),
  defect('foreign-certificate-refused', 'certificate-not-verified', {
    title: 'Certificates of the EHR server are not verified',
    tls: 'authority-not-checked',
  }),
  defect('other-name-refused', 'host-name-not-verified', {
    title: 'The host name in the certificate of the EHR server is not compared',
    tls: 'name-not-checked',
  }),
];

function ttl(change: (minutes: number) => number) {
  return info((own) => void Object.assign(own, { ttl: change(Number(own.ttl)) }));
}

function header(name: string, value: (out: Outgoing) => string) {
  return sends((out) => void Object.assign(out.init.headers, { [name]: value(out) }));
}
