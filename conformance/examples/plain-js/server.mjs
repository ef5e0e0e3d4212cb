/**
 * A small independent authorization server: REST, a bearer token, other member names, plain JavaScript. It
 * shows that the conformance kit can judge an unknown server by its file alone.
 *
 * Environment: PORT, EHR_URL, EHR_API_VERSION, EHR_USER, EHR_PASSWORD, EHR_TIMEOUT_MS, SMS_WEBHOOK,
 * PIN_LIFETIME_SECONDS, RESEND_SECONDS, NOT_MEMBERS (mobiles without a member record, separated by commas),
 * FAULTS (names from the list below, separated by commas).
 */
import { createHash, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';

const { env } = process;
const ehr = {
  url: `${(env.EHR_URL ?? 'http://127.0.0.1:4180').replace(/\/+$/, '')}/${env.EHR_API_VERSION ?? '1.0-alpha'}/`,
  user: env.EHR_USER ?? 'auth-server',
  password: env.EHR_PASSWORD ?? '',
  timeout: Number(env.EHR_TIMEOUT_MS ?? 10_000),
};
const smsWebhook = env.SMS_WEBHOOK ?? 'http://127.0.0.1:4181/sms';
const pinLifetime = Number(env.PIN_LIFETIME_SECONDS ?? 300) * 1_000;
const resendPause = Number(env.RESEND_SECONDS ?? 30) * 1_000;
const notMembers = new Set((env.NOT_MEMBERS ?? '').split(','));
const faults = new Set((env.FAULTS ?? '').split(',').filter(Boolean));

/** Faults of real servers, enabled by FAULTS. */
const FAULTS = ['password-in-header', 'pin-works-twice', 'logout-keeps-session', 'digest-upper-case'];
for (const name of faults) if (!FAULTS.includes(name)) throw new Error(`There is no fault ${name}.`);

const SAVE_AUTH_INFO = 'embedded_storage.save_auth_info';
const SESSION_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
const MAX_TRIES = 5;
const MAX_PINS_PER_DAY = 30;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MAX_BODY_BYTES = 16 * 1024;

/** Mobile to account; `member` is the internal id of the correspondence table, undefined without a record. */
const accounts = new Map();
/** Mobile to the newest PIN sent to it. */
const pins = new Map();
/** Mobile to the times of the PINs sent in the last day; a sign-in or a deletion does not remove them. */
const sendings = new Map();
/** Digest of the bearer token to session: what is stored opens nothing. */
const sessions = new Map();
let members = 0;
let calls = 0;

/** Answered to the client instead of a success. */
class Refusal extends Error {
  constructor(problem, { status, cause }) {
    super(problem, { cause });
    this.status = status;
  }
}

const routes = {
  'POST /login/start': async ({ body }) => {
    const mobile = mobileOf(body);
    countSending(mobile);
    const pin = String(randomInt(1_000_000)).padStart(6, '0');
    const now = Date.now();
    for (const [key, { until }] of pins) if (until <= now) pins.delete(key);
    pins.set(mobile, { pin, until: now + pinLifetime, tries: 0, busy: false });
    await sendSms(mobile, `Your sign-in PIN is ${pin}.`);
    return [202, { sent: true }];
  },

  'POST /login/confirm': async ({ body }) => {
    const mobile = mobileOf(body);
    const sent = pins.get(mobile);
    const refusal = new Refusal('pin_not_accepted', { status: 401 });
    if (!sent || sent.busy || sent.until <= Date.now() || sent.tries >= MAX_TRIES) throw refusal;
    if (!same(String(body.pin ?? ''), sent.pin)) {
      sent.tries++;
      throw refusal;
    }
    // A request that works with a PIN excludes others, and a failure of the EHR server does not use the PIN
    // up.
    sent.busy = true;
    try {
      const account = accountOf(mobile);
      const signature = typeof body.ehrSignature === 'string' ? body.ehrSignature : account.signature;
      const { bearer, session, linked } = await openSession(account, signature);
      // The account may have been deleted meanwhile.
      if (accounts.get(mobile) !== account) throw refusal;
      if (!faults.has('pin-works-twice')) pins.delete(mobile);
      sessions.set(keyOf(bearer), session);
      if (linked) account.signature = signature;
      return [200, { account: { id: account.id }, session: { bearer, validMinutes: SESSION_MINUTES } }];
    } finally {
      sent.busy = false;
    }
  },

  'POST /ehr/exchange-token': async ({ session, bearer }) => {
    for (let tries = 1; ; tries++) {
      const ticket = newToken();
      const params = { exchangeToken: ticket, authInfo: authInfoOf(session, bearer) };
      const refused = await callEhr('embedded_storage.save_exchange_token', params, ticket);
      // Another caller may have ended the session meanwhile.
      if (!refused && !sessions.has(keyOf(bearer))) throw new Refusal('session_ended', { status: 401 });
      if (!refused) return [201, { ticket }];
      if (refused.code !== ALREADY_STORED.exchangeToken || tries === 3)
        throw new Refusal('ehr_refused', { status: 502 });
    }
  },

  'POST /ehr/linked': async ({ session, bearer, body }) => {
    const { account } = session;
    const { signature } = body;
    if (typeof signature !== 'string' || signature === '') throw new Refusal('signature_missing', { status: 422 });
    if (account.member === undefined) throw new Refusal('no_member_record', { status: 409 });
    const refused = await callEhr(SAVE_AUTH_INFO, { authInfo: authInfoOf(session, bearer) }, signature);
    // Stored already: an earlier report was executed, and its answer was lost.
    if (refused && refused.code !== ALREADY_STORED.token) throw new Refusal('ehr_refused', { status: 502 });
    account.signature = signature;
    return [204];
  },

  'POST /logout': async ({ bearer }) => {
    if (!faults.has('logout-keeps-session')) sessions.delete(keyOf(bearer));
    return [204];
  },

  'DELETE /me': async ({ session: { account } }) => {
    accounts.delete(account.mobile);
    for (const [key, session] of sessions) if (session.account === account) sessions.delete(key);
    return [204];
  },
};
const OPEN_TO_ALL = ['POST /login/start', 'POST /login/confirm'];

/** Codes of the EHR server's errors not_authorized and user_unknown: the user disconnected elsewhere. */
const LINK_GONE = [-33000, -34007];
/** Codes of the EHR server's errors that are no failure of this server. */
const ALREADY_STORED = { token: -34003, exchangeToken: -34004 };

/** @throws Refusal within the pause after a PIN, and beyond the PINs of a day */
function countSending(mobile) {
  const now = Date.now();
  for (const [key, times] of sendings) if (times.at(-1) <= now - DAY_MS) sendings.delete(key);
  const times = (sendings.get(mobile) ?? []).filter((time) => time > now - DAY_MS);
  if (times.length >= MAX_PINS_PER_DAY || now < (times.at(-1) ?? 0) + resendPause)
    throw new Refusal('pin_sent_already', { status: 429 });
  sendings.set(mobile, [...times, now]);
}

function accountOf(mobile) {
  let account = accounts.get(mobile);
  if (!account) {
    const member = notMembers.has(mobile) ? undefined : `M-${++members}`;
    account = { id: `acc-${randomUUID()}`, mobile, member, signature: undefined };
    accounts.set(mobile, account);
  }
  return account;
}

/**
 * Opens a session of an account; that of a linked account is saved at the EHR server first. The signature of
 * a removed link is forgotten, and the session is then unlinked.
 */
async function openSession(account, signature) {
  for (let tries = 1; ; tries++) {
    const bearer = newToken();
    const session = { account, until: Date.now() + SESSION_MINUTES * MINUTE_MS };
    if (signature === undefined) return { bearer, session, linked: false };
    if (account.member === undefined) throw new Refusal('no_member_record', { status: 409 });
    const refused = await callEhr(SAVE_AUTH_INFO, { authInfo: authInfoOf(session, bearer) }, signature);
    if (!refused) return { bearer, session, linked: true };
    if (LINK_GONE.includes(refused.code)) {
      if (account.signature === signature) account.signature = undefined;
      return { bearer, session, linked: false };
    }
    if (refused.code !== ALREADY_STORED.token || tries === 3) throw new Refusal('ehr_refused', { status: 502 });
  }
}

/** The session as the EHR server stores it, with the rest of its lifetime in minutes. */
function authInfoOf({ account, until }, bearer) {
  return { user: account.id, token: bearer, ttl: Math.max(1, Math.floor((until - Date.now()) / MINUTE_MS)) };
}

/** Calls the EHR server. Resolves to its error, or to undefined when the call was executed. */
async function callEhr(method, params, secret) {
  const id = ++calls;
  const hash = createHash('sha1').update(`${ehr.password}${secret}`, 'utf8').digest('hex');
  const token = faults.has('digest-upper-case') ? hash.toUpperCase() : hash;
  const text = JSON.stringify({ jsonrpc: '2.0', id, method, params, cred: { user: ehr.user, token } });
  const basic = Buffer.from(`${ehr.user}:${ehr.password}`, 'utf8').toString('base64');
  const headers = faults.has('password-in-header') ? { authorization: `Basic ${basic}` } : {};
  let reply;
  try {
    const answer = await post(ehr.url, text, headers, ehr.timeout);
    reply = answer.status === 200 ? JSON.parse(answer.text) : undefined;
  } catch (cause) {
    // Unreachable, too late, broken off or not JSON: all the same for the client.
    throw new Refusal('ehr_unavailable', { status: 502, cause });
  }
  if (typeof reply !== 'object' || reply === null || String(reply.id) !== String(id))
    throw new Refusal('ehr_unavailable', { status: 502 });
  // Neither, or both, or an error without a code: that is no acknowledgement.
  if ('result' in reply === 'error' in reply) throw new Refusal('ehr_unavailable', { status: 502 });
  if ('result' in reply) return undefined;
  if (!Number.isInteger(reply.error?.code)) throw new Refusal('ehr_unavailable', { status: 502 });
  return reply.error;
}

async function sendSms(to, text) {
  const { status } = await post(smsWebhook, JSON.stringify({ to, text }), {}, 5_000).catch(() => ({ status: 0 }));
  if (status < 200 || status > 299) throw new Refusal('sms_not_sent', { status: 503 });
}

/** Posts a JSON text. The whole answer must arrive within `timeout` ms. Does not follow redirects. */
function post(url, text, headers, timeout) {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
      signal: AbortSignal.timeout(timeout),
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      read(response).then((answer) => resolve({ status: response.statusCode, text: answer }), reject);
    });
    sent.end(text);
  });
}

async function read(stream) {
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Refusal('too_large', { status: 413 });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function newToken() {
  return randomBytes(32).toString('base64url');
}

function keyOf(bearer) {
  return createHash('sha256').update(bearer).digest('base64');
}

function same(a, b) {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(left, right);
}

function mobileOf({ mobile }) {
  if (typeof mobile !== 'string' || !/^\d{5,15}$/.test(mobile)) throw new Refusal('mobile_invalid', { status: 422 });
  return mobile.replace(/^8(?=\d{10}$)/, '7'); // A Russian number in its domestic form is the same number.
}

async function handle(request) {
  const name = `${request.method} ${(request.url ?? '').replace(/\?.*$/s, '')}`;
  if (!Object.hasOwn(routes, name)) throw new Refusal('no_such_path', { status: 404 });
  const text = await read(request);
  const type = (request.headers['content-type'] ?? '').replace(/;.*$/s, '').trim().toLowerCase();
  if (text !== '' && type !== 'application/json') throw new Refusal('not_json', { status: 415 });
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  const session = bearer === undefined ? undefined : sessions.get(keyOf(bearer));
  if (!OPEN_TO_ALL.includes(name) && (!session || session.until <= Date.now()))
    throw new Refusal('sign_in_first', { status: 401 });
  let body = {};
  try {
    if (text !== '') body = JSON.parse(text);
  } catch (cause) {
    throw new Refusal('not_json', { status: 400, cause });
  }
  if (typeof body !== 'object' || body === null) throw new Refusal('not_an_object', { status: 422 });
  return routes[name]({ body, session, bearer });
}

const server = createServer(async (request, response) => {
  const [status, body] = await handle(request).catch((error) => [
    error instanceof Refusal ? error.status : 500,
    { problem: error instanceof Refusal ? error.message : 'internal' },
  ]);
  if (body === undefined) {
    response.writeHead(status).end();
  } else {
    response
      .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify(body));
  }
});
server.listen(Number(env.PORT ?? 4280), '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
process.on('SIGTERM', () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
