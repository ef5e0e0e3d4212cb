/**
 * A small authorization server in plain JavaScript, with an interface of its own: REST, a bearer token, other
 * member names. It shows that the conformance kit can judge a server that it does not know, by an adapter
 * file alone. Its settings are in `settings.mjs`.
 */
import { createHash, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { ALREADY_STORED, callEhr, LINK_GONE, SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN } from './ehr.mjs';
import { post, Refusal, read } from './http.mjs';
import { faults, notMembers, pinLifetime, port, resendPause, smsWebhook } from './settings.mjs';

const SESSION_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
/** Limits the wrong guesses of one PIN. */
const MAX_TRIES = 5;
const MAX_PINS_PER_DAY = 30;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Accounts by mobile. `member` is the id of the patient, `undefined` for a mobile that belongs to no patient.
 * `signature` is set while the account is linked.
 */
const accounts = new Map();
/** The newest PIN by the mobile to which it was sent. */
const pins = new Map();
/** When PINs were sent in the last day, by mobile. A sign-in or a deletion does not remove these times. */
const sendings = new Map();
/** Sessions by the digest of their bearer token, so that the stored key does not work as a token. */
const sessions = new Map();
let members = 0;

/** Each route: a function that returns the HTTP status and the body of the answer. */
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
    // While one request uses a PIN, others are refused. When the EHR server fails, the PIN still works.
    sent.busy = true;
    try {
      const account = accountOf(mobile);
      const { ehrSignature: brought } = body;
      const signature = typeof brought === 'string' && brought !== '' ? brought : account.signature;
      const { bearer, session, linked } = await openSession(account, signature);
      // The account may have been deleted during the call to the EHR server.
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
      const refused = await callEhr(SAVE_EXCHANGE_TOKEN, params, ticket);
      // Another request may have ended the session during the call to the EHR server.
      if (!refused && !sessions.has(keyOf(bearer))) throw new Refusal('session_ended', { status: 401 });
      if (!refused) return [201, { ticket }];
      if (refused.code !== ALREADY_STORED.exchangeToken || tries === 3)
        throw new Refusal('ehr_refused', { status: 502 });
    }
  },

  'POST /ehr/linked': async ({ session, bearer, body }) => {
    const { account } = session;
    const { signature } = body;
    if (typeof signature !== 'string' || signature === '')
      throw new Refusal('signature_missing', { status: 422 });
    if (account.member === undefined) throw new Refusal('no_member_record', { status: 409 });
    const refused = await callEhr(SAVE_AUTH_INFO, { authInfo: authInfoOf(session, bearer) }, signature);
    // "Stored already" means that an earlier report was carried out, and its answer was lost.
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
/** Routes that need no session. */
const OPEN_TO_ALL = ['POST /login/start', 'POST /login/confirm'];

/**
 * Counts a PIN that is sent.
 * @throws Refusal within the pause after a PIN, and beyond the PINs of a day
 */
function countSending(mobile) {
  const now = Date.now();
  for (const [key, times] of sendings) if (times.at(-1) <= now - DAY_MS) sendings.delete(key);
  const times = (sendings.get(mobile) ?? []).filter((time) => time > now - DAY_MS);
  if (times.length >= MAX_PINS_PER_DAY || now < (times.at(-1) ?? 0) + resendPause)
    throw new Refusal('pin_sent_already', { status: 429 });
  sendings.set(mobile, [...times, now]);
}

/** The account of a mobile; a new one if there is none. */
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
 * Opens a session of an account. With a signature, saves the session at the EHR server first. When the link
 * was removed there, forgets the signature, and opens a session that is not linked.
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
    if (refused.code !== ALREADY_STORED.token || tries === 3)
      throw new Refusal('ehr_refused', { status: 502 });
  }
}

/** The session in the form in which the EHR server stores it, with the rest of its lifetime in minutes. */
function authInfoOf({ account, until }, bearer) {
  return { user: account.id, token: bearer, ttl: Math.max(1, Math.floor((until - Date.now()) / MINUTE_MS)) };
}

/**
 * Sends an SMS through the webhook of the SMS gateway.
 * @throws Refusal when the gateway does not take it
 */
async function sendSms(to, text) {
  const { status } = await post(smsWebhook, JSON.stringify({ to, text }), {}, 5_000).catch(() => ({
    status: 0,
  }));
  if (status < 200 || status > 299) throw new Refusal('sms_not_sent', { status: 503 });
}

/** A secret of 256 bits. */
function newToken() {
  return randomBytes(32).toString('base64url');
}

/** The digest under which a session is stored. */
function keyOf(bearer) {
  return createHash('sha256').update(bearer).digest('base64');
}

/** Compares two texts in a time that does not depend on where they differ. */
function same(a, b) {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(left, right);
}

/** The mobile in a body, digits only. */
function mobileOf({ mobile }) {
  if (typeof mobile !== 'string' || !/^\d{5,15}$/.test(mobile))
    throw new Refusal('mobile_invalid', { status: 422 });
  return mobile.replace(/^8(?=\d{10}$)/, '7'); // A Russian number in its domestic form is the same number.
}

/** Handles a request. Resolves to the HTTP status and the body of the answer. */
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
server.listen(port, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
process.on('SIGTERM', () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
