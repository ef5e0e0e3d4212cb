/** Reads an answer of the EHR server: what it says about the call, and the values that later calls need. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { StepResult } from '../../../engine/journal/entry.ts';
import { type Answer, type Failed, failed } from '../../../engine/party/requests/send.ts';
import { whyNotJson } from '../../../engine/party/requests/why-not-json.ts';

/** JSON-RPC code of a failure of the server itself: no refusal that a client could understand. */
const INTERNAL_ERROR = -32603;

/** What a text holds; undefined where it is no JSON. */
export const jsonIn = (text: string | undefined): unknown => tryJson(text ?? '')?.value;

/** The members of an object; none where it is something else. */
export const membersOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** Returns the reply of a JSON-RPC call; undefined when the body is no object. */
export function replyOf(answer: Answer | Failed): Record<string, unknown> | undefined {
  const reply = answer.kind === 'answer' ? jsonIn(answer.text) : undefined;
  return isObject(reply) ? reply : undefined;
}

/** The record in a reply; empty where there is none. */
export const recordIn = (reply: Record<string, unknown> | undefined): Record<string, unknown> =>
  membersOf(membersOf(reply?.result).patient);

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
    return { kind: 'done', values: valuesIn(membersOf(reply.result), patientOf) };
  const why = whyNotJson(answer.text) ?? 'is no JSON-RPC reply';
  return failed('unexpected-answer', `HTTP ${status} with a body that ${why}`);
}

function valuesIn(result: Record<string, unknown>, patientOf: (id: string) => string) {
  const { id, user_sign, userSign, patient } = result;
  const texts = Object.entries({ id, user_sign, userSign }).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const { id: recordId } = membersOf(patient);
  return {
    ...Object.fromEntries(texts),
    ...(recordId !== undefined && { patient: patientOf(String(recordId)) }),
  };
}
