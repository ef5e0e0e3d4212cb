/** How the authorization server of `server.mjs` calls the EHR server. */
import { createHash } from 'node:crypto';
import { post, Refusal } from './http.mjs';
import { ehr, faults } from './settings.mjs';

export const SAVE_AUTH_INFO = 'embedded_storage.save_auth_info';
export const SAVE_EXCHANGE_TOKEN = 'embedded_storage.save_exchange_token';

/**
 * Error codes of the EHR server (not_authorized, user_unknown) after which the link is gone: the user
 * disconnected elsewhere.
 */
export const LINK_GONE = [-33000, -34007];
/** Error codes of the EHR server for a token that it has stored already. */
export const ALREADY_STORED = { token: -34003, exchangeToken: -34004 };

let calls = 0;

/**
 * Calls the EHR server. `secret` is the signature of the user or the exchange token, which the digest proves
 * (§5). Resolves to the error of the EHR server; to `undefined` when the call was carried out.
 * @throws Refusal when there is no usable answer
 */
export async function callEhr(method, params, secret) {
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
    // Unreachable, too late, broken off or not JSON: the client gets the same answer.
    throw new Refusal('ehr_unavailable', { status: 502, cause });
  }
  if (typeof reply !== 'object' || reply === null || String(reply.id) !== String(id))
    throw new Refusal('ehr_unavailable', { status: 502 });
  // A reply with neither result nor error, with both, or with an error without a code acknowledges nothing.
  if ('result' in reply === 'error' in reply) throw new Refusal('ehr_unavailable', { status: 502 });
  if ('result' in reply) return undefined;
  if (!Number.isInteger(reply.error?.code)) throw new Refusal('ehr_unavailable', { status: 502 });
  return reply.error;
}
