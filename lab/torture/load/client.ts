/** Sends one call over HTTP, translating the numbers of the ledger into names on the wire and back. */

import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { digest } from '#protocol/wire/digest.ts';
import { callText, isObject, readReply } from '#protocol/wire/envelope.ts';
import { isReason } from '#protocol/wire/errors.ts';
import { violationsOf } from '#protocol/wire/wire-guard.ts';
import type { Intent, Outcome } from '../check/history.ts';
import type { Member } from '../world/fleet.ts';
import { propertiesOf } from '../world/patients.ts';
import type { Cast } from './cast.ts';
import type { Ended } from './ledger.ts';

export type Secret = { user: string; password: string };

/** Lifetime of the sessions in minutes: none expires during a run. */
const TTL_MINUTES = 7 * 24 * 60;

/** A reply that violates the contract. It ends the run, since the ledger cannot be continued. */
class BadReply extends Error {
  override name = 'BadReply';
}

/** Sends one call to a process. */
export async function sendCall(member: Member, cast: Cast, intent: Intent, id: number, secret: Secret): Promise<Ended> {
  const request = callText({ id, ...messageOf(cast, intent, secret) });
  let status: number;
  let reply: string;
  try {
    const response = await member.pool.request({
      path: member.endpoint,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: request,
    });
    status = response.statusCode;
    reply = await response.body.text();
  } catch (error) {
    return failureOf(error);
  }
  if (status >= 500) return { kind: 'unknown', why: `HTTP ${status}` };
  const [breach] = violationsOf({ status, request, reply }, ehrMethods);
  if (status !== 200 || (breach !== undefined && !breach.includes('internal_error')))
    throw new BadReply(`${intent.method} was answered with HTTP ${status}: ${breach ?? 'no JSON-RPC reply'}`);
  return outcomeOf(readReply(reply, id), cast);
}

/** A call whose connection was refused was never sent. After any other failure the outcome is unknown. */
function failureOf(error: unknown): Ended {
  const { code = 'no code', message } = error as { code?: string; message: string };
  return code === 'ECONNREFUSED' ? { kind: 'unsent' } : { kind: 'unknown', why: `${code}: ${message}` };
}

function outcomeOf(reply: ReturnType<typeof readReply>, cast: Cast): Outcome {
  if ('error' in reply) {
    const { data } = reply.error;
    const reason = isObject(data) && isReason(data.reason) ? data.reason : 'internal_error';
    return reason === 'internal_error' ? { kind: 'unknown', why: reason } : { kind: 'refused', reason };
  }
  const { patient, userSign } = reply.result as { patient?: { id: string }; userSign?: string };
  if (patient === undefined || userSign === undefined) return { kind: 'ok' };
  return { kind: 'ok', patient: cast.patientNumber(patient.id), sign: cast.signNumber(userSign) };
}

function messageOf(cast: Cast, intent: Intent, secret: Secret) {
  const internal = (proof: string) => ({ user: secret.user, token: digest(secret.password, proof) });
  const session = ({ user, token }: { user: number; token: number }) => ({
    user: cast.users[user] as string,
    token: cast.tokens[token] as string,
  });
  switch (intent.method) {
    case 'saveExchangeToken': {
      const exchangeToken = cast.exchanges[intent.exchange] as string;
      const params = { exchangeToken, authInfo: { ...session(intent), ttl: TTL_MINUTES } };
      return { method: 'embedded_storage.save_exchange_token', params, cred: internal(exchangeToken) };
    }
    case 'authenticate': {
      const patient = intent.patient === undefined ? undefined : cast.patients[intent.patient];
      const params = { exchangeToken: cast.exchanges[intent.exchange], patientProperties: propertiesOf(patient) };
      return { method: 'embedded_storage.authenticate', params };
    }
    case 'saveAuthInfo': {
      const params = { authInfo: { ...session(intent), ttl: TTL_MINUTES } };
      return { method: 'embedded_storage.save_auth_info', params, cred: internal(cast.sign(intent.sign)) };
    }
    case 'getPatient':
      return { method: 'patient.get_patient', params: {}, cred: session(intent) };
    case 'removeAuthInfo':
      return { method: 'embedded_storage.remove_auth_info', params: {}, cred: session(intent) };
    case 'removeAuthentication':
      return { method: 'embedded_storage.remove_authentication', params: {}, cred: session(intent) };
  }
}
