/** Reads an HTTP answer of the EHR server under test. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { StepResult } from '../../../engine/journal/entry.ts';
import { type Answer, type Failed, failed } from '../../../engine/party/requests/send.ts';
import { whyNotJson } from '../../../engine/party/requests/why-not-json.ts';

/** The JSON-RPC code of an internal error. It is an error for the interface, and clumsy. */
const INTERNAL_ERROR = '-32603';

export const isServerError = (result: StepResult): boolean =>
  result.kind === 'failed'
    ? result.what === 'server-error'
    : result.kind === 'refused' && result.code === INTERNAL_ERROR;

/** Whether a call was neither carried out nor refused: no answer, an unreadable one, or an internal error. */
export const isUnserved = (result: StepResult): boolean => result.kind === 'failed' || isServerError(result);

export const jsonIn = (text: string | undefined): unknown => tryJson(text ?? '')?.value;

export const jsonOf = (answer: Answer | Failed): unknown =>
  answer.kind === 'answer' ? jsonIn(answer.text) : undefined;

export const membersOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

export function replyOf(answer: Answer | Failed): Record<string, unknown> | undefined {
  const reply = jsonOf(answer);
  return isObject(reply) ? reply : undefined;
}

export const recordIn = (reply: Record<string, unknown> | undefined): Record<string, unknown> =>
  membersOf(membersOf(reply?.result).patient);

/** `patientOf` turns the id of a record into a name such as `patient 1`: the journal keeps no real id. */
export function resultOf(answer: Answer | Failed, patientOf: (id: string) => string): StepResult {
  if (answer.kind !== 'answer') return answer;
  const { status } = answer;
  const reply = replyOf(answer);
  if (isObject(reply?.error)) {
    const { code, data } = reply.error;
    const reason = isObject(data) && typeof data.reason === 'string' ? { reason: data.reason } : {};
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

/** Lists the members user_sign in a result that are texts, wherever they stand. */
export function signsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(signsIn);
  return Object.entries(membersOf(value)).flatMap(([name, each]) =>
    name === 'user_sign' && typeof each === 'string' && each !== '' ? [each] : signsIn(each),
  );
}

function valuesIn(result: Record<string, unknown>, patientOf: (id: string) => string) {
  const { id, user_sign, userSign, patient } = result;
  const texts = Object.entries({ id, user_sign, userSign }).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const { id: recordId } = membersOf(patient);
  // The interface has the signature in the reply, and does not say where.
  const inside = signsIn(result)[0];
  return {
    ...Object.fromEntries(texts),
    ...(inside !== undefined && { signInside: inside }),
    ...(recordId !== undefined && { patient: patientOf(String(recordId)) }),
  };
}
