/** Sends one call over HTTP and reads its outcome, in the names of the model. */
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { callText, isObject, readReply } from '#protocol/wire/envelope.ts';
import { isReason } from '#protocol/wire/errors.ts';
import { violationsOf } from '#protocol/wire/wire-guard.ts';
import { type CallStep, messageOf } from '../../steps.ts';
import type { CallOutcome } from '../check/history.ts';
import type { Member } from '../world/fleet.ts';
import type { Cast, Secret } from './cast.ts';
import type { CallEnd } from './ledger.ts';

/** @throws Error when the reply violates the contract: the ledger cannot go on after it */
export async function sendCall(
  { pool, endpoint }: Pick<Member, 'pool' | 'endpoint'>,
  { cast, step, sign, secret, id }: { cast: Cast; step: CallStep; sign: number; secret: Secret; id: number },
): Promise<CallEnd> {
  const request = callText({ id, ...messageOf(step, cast.namesFor(secret, sign)) });
  const headers = { 'content-type': 'application/json' };
  let status: number;
  let reply: string;
  try {
    const response = await pool.request({ path: endpoint, method: 'POST', headers, body: request });
    status = response.statusCode;
    reply = await response.body.text();
  } catch (error) {
    const { code = 'no code', message } = error as { code?: string; message: string };
    // Only a call whose connection was refused was certainly never sent.
    return code === 'ECONNREFUSED' ? { kind: 'unsent' } : { kind: 'unknown', why: `${code}: ${message}` };
  }
  if (status >= 500) return { kind: 'unknown', why: `HTTP ${status}` };
  const [violation] = violationsOf({ status, request, reply }, ehrMethods);
  if (status !== 200 || (violation !== undefined && !violation.includes('internal_error')))
    throw new Error(`${step.kind} was answered with HTTP ${status}: ${violation ?? 'no JSON-RPC reply'}`);
  return outcomeOf(readReply(reply, id), cast);
}

function outcomeOf(reply: ReturnType<typeof readReply>, cast: Cast): CallOutcome {
  if ('error' in reply) {
    const { data } = reply.error;
    const reason = isObject(data) && isReason(data.reason) ? data.reason : 'internal_error';
    return reason === 'internal_error' ? { kind: 'unknown', why: reason } : { kind: 'refused', reason };
  }
  const { patient, userSign } = reply.result as { patient?: { id: string }; userSign?: string };
  if (patient === undefined || userSign === undefined) return { kind: 'ok' };
  return { kind: 'ok', patient: cast.patientName(patient.id), sign: cast.signNumber(userSign) };
}
