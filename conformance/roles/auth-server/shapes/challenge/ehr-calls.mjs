/**
 * Calls the EHR server for this authorization server (the internal channel between the two servers), and
 * reads its replies. Each call resolves to the error of the EHR server, or to undefined when the call was
 * executed.
 */
import { createHash } from 'node:crypto';
import { deadline } from '../deadline.mjs';
import { accountOf, isObject, MINUTE_MS, Refusal, readAll } from './common.mjs';

const MAX_REPLY_BYTES = 64 * 1024;

/** Saves a session at the EHR server; `sign` is the user_sign that the digest covers. */
export function saveAuthInfo(app, session, sign) {
  const params = { authInfo: authInfoOf(app, session) };
  return callEhr(app, { method: 'embedded_storage.save_auth_info', params, secret: sign });
}

/** Makes an exchange token known to the EHR server, for a session. */
export function saveExchangeToken(app, session, exchangeToken) {
  const params = { exchangeToken, authInfo: authInfoOf(app, session) };
  const secret = app.fault('digest-over-session-token') ? session.token : exchangeToken;
  return callEhr(app, { method: 'embedded_storage.save_exchange_token', params, secret });
}

/** Reads the patient's record in place of the client. No authorization server should; only a fault does. */
export function readRecord(app, session) {
  const cred = { user: accountOf(app, session.phone).id, token: session.token };
  return callEhr(app, { method: 'patient.get_patient', params: {}, cred });
}

/** The session as the EHR server stores it, with the rest of its lifetime in minutes, rounded up. */
function authInfoOf(app, { phone, token, until }) {
  const round = app.fault('ttl-rounded-down') ? Math.floor : Math.ceil;
  const left = app.fault('ttl-never-less')
    ? app.options.sessionMinutes
    : round((until - app.now()) / MINUTE_MS);
  return { user: accountOf(app, phone).id, token, ttl: left };
}

/** Calls the EHR server once. Resolves to its error, or to undefined when the call was executed. */
async function callEhr(app, { method, params, secret, cred }) {
  const { options, fault, counters } = app;
  const id = ++counters.calls;
  const password = fault('password-decomposed') ? options.ehrPassword.normalize('NFD') : options.ehrPassword;
  const hash = createHash('sha1').update(`${password}${secret}`, 'utf8').digest('hex');
  const own = { user: options.ehrUser, token: hash };
  app.lastCred = own;
  const call = { jsonrpc: '2.0', id, method, params, cred: cred ?? own };
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  if (fault('bearer-of-the-service')) headers.authorization = 'Bearer b2YtdGhlLXNlcnZpY2U';
  const limit = deadline(app.closing.signal, options.ehrTimeoutMs);
  try {
    const response = await app.send(app.endpoint, {
      method: 'POST',
      headers,
      body: JSON.stringify(call),
      redirect: 'manual',
      signal: limit.signal,
    });
    const text = await readAll(response.body ?? [], MAX_REPLY_BYTES);
    if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${text}`);
    return readReply(app, text, id);
  } catch (cause) {
    if (fault('trouble-told-as-unknown')) throw new Refusal('sign_in_first', { status: 401, cause });
    // Unreachable, too late, broken off or no reply to this call: all the same for the client.
    throw new Refusal('ehr_unavailable', { status: 502, cause, detail: detailOf(app, cause, params) });
  } finally {
    limit.end();
  }
}

/** What faults tell the client of a failed call. */
function detailOf({ fault, endpoint }, cause, { exchangeToken }) {
  if (fault('ehr-address-told')) return endpoint;
  if (fault('failed-token-told')) return exchangeToken;
  return fault('ehr-error-passed-on') ? String(cause) : undefined;
}

/**
 * The error of a reply, or undefined for a success. A reply that is not clearly one of the two counts as no
 * answer.
 */
function readReply({ fault }, text, id) {
  const reply = JSON.parse(text);
  if (!isObject(reply) || reply.jsonrpc !== '2.0' || hasDoubledMembers(text))
    throw new Error(`No reply: ${text}`);
  if (String(reply.id) !== String(id)) throw new Error(`The reply is to another call: ${text}`);
  if ('result' in reply === 'error' in reply) throw new Error(`Neither result nor error: ${text}`);
  if (isObject(reply.result)) return undefined;
  if (!isObject(reply.error) || !Number.isInteger(reply.error.code)) throw new Error(`No error: ${text}`);
  return { code: reply.error.code, text: fault('ehr-error-passed-on') ? text : undefined };
}

/** The refusal for the client when the EHR server refused a call. */
export function ehrRefused({ text }) {
  return new Refusal('ehr_refused', { status: 502, detail: text });
}

/** Whether the outermost object has a member twice. Two JSON parsers could then read different values. */
function hasDoubledMembers(text) {
  const names = [];
  let depth = 0;
  for (const [token, name] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (name && depth === 1) names.push(JSON.parse(name));
  }
  return new Set(names).size < names.length;
}
