/** Reads an answer of the EHR server: what it says about the call, and the values that later calls need. */
import { isObject } from '#protocol/wire/envelope.ts';
import type { StepResult } from '../../../engine/journal/entry.ts';
import { type Answer, type Failed, failed } from '../../../engine/party/requests/send.ts';
import { whyNotJson } from '../../../engine/party/requests/why-not-json.ts';

/** JSON-RPC code of a failure of the server itself: no refusal that a client could understand. */
const INTERNAL_ERROR = -32603;

/** Returns the reply of a JSON-RPC call; undefined when the body is no object. */
export function replyOf(answer: Answer | Failed): Record<string, unknown> | undefined {
  if (answer.kind !== 'answer') return undefined;
  try {
    const reply: unknown = JSON.parse(answer.text);
    return isObject(reply) ? reply : undefined;
  } catch {
    // Not JSON: the status alone tells something.
    return undefined;
  }
}

/**
 * Returns how a call ended.
 * @param patientOf names a patient by the id of the record, the same name for the same id
 */
export function resultOf(answer: Answer | Failed, patientOf: (id: string) => string): StepResult {
  if (answer.kind !== 'answer') return answer;
  const { status } = answer;
  const reply = replyOf(answer);
  if (isObject(reply?.error)) {
    const { code, data } = reply.error;
    const reason = isObject(data) && typeof data.reason === 'string' ? { reason: data.reason } : {};
    if (code === INTERNAL_ERROR) return failed('server-error', 'an internal error (code -32603)');
    return { kind: 'refused', status, ...(typeof code === 'number' && { code: String(code) }), ...reason };
  }
  if (status >= 500) return failed('server-error', `HTTP ${status}`);
  if (status >= 400) return { kind: 'refused', status };
  if (status === 204 && answer.text === '') return { kind: 'done', values: {} };
  if (status === 200 && reply && 'result' in reply)
    return { kind: 'done', values: valuesOf(reply.result, patientOf) };
  const why = whyNotJson(answer.text) ?? 'is no JSON-RPC reply';
  return failed('unexpected-answer', `HTTP ${status} with a body that ${why}`);
}

function valuesOf(result: unknown, patientOf: (id: string) => string): Record<string, string> {
  if (!isObject(result)) return {};
  const { id, user_sign, userSign, patient } = result;
  return {
    ...(typeof id === 'string' && { id }),
    ...(typeof user_sign === 'string' && { user_sign }),
    ...(typeof userSign === 'string' && { userSign }),
    ...(isObject(patient) && patient.id !== undefined && { patient: patientOf(String(patient.id)) }),
  };
}
