/** JSON-RPC with an EHR server: builds the bodies of calls, and reads what its replies say. */

import { isObject, membersOf } from '#protocol/wire/envelope.ts';
import { tryJson, writeJson } from '#protocol/wire/json.ts';
import type { ExchangeEntry, StepResult } from '../../../engine/journal/entry.ts';
import { headerOf } from '../../../engine/journal/headers.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { whyNotJson } from '../../../engine/party/requests/json.ts';
import { type Answer, type Failed, failed } from '../../../engine/party/requests/send.ts';

export const METHODS = {
  saveAuthInfo: 'embedded_storage.save_auth_info',
  saveExchangeToken: 'embedded_storage.save_exchange_token',
  authenticate: 'embedded_storage.authenticate',
  getPatient: 'patient.get_patient',
  removeAuthInfo: 'embedded_storage.remove_auth_info',
  removeAuthentication: 'embedded_storage.remove_authentication',
} as const;

/** In an internal call the internal user and a digest (§5). */
export type Cred = { user: string; token: string };

/** `ttl` is in the server's unit. Only checks of `created` send it, in any form. */
export type AuthInfo = Cred & { ttl: number; created?: unknown };

export const pairOf = ({ user, token }: Cred): Cred => ({ user, token });

/** Returns a call with the id 1. It has a cred only where one is given. */
export const callOf = (method: string, params: object, cred?: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
  ...(cred !== undefined && { cred }),
});

export const readOf = (members: Record<string, unknown>) => ({
  ...callOf(METHODS.getPatient, {}),
  ...members,
});

export const readCall = (members: Record<string, unknown>) => writeJson(readOf(members));

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

/** The type is a wish: the JSON may be a list or a text, too. */
export const replyIn = ({ exchanges }: PlayedStep): Record<string, unknown> | undefined =>
  jsonIn(exchanges[0]?.response?.body) as Record<string, unknown> | undefined;

function leavesOf(value: unknown, way = 'error'): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map([[way, value]]);
  return new Map(Object.entries(value).flatMap(([name, each]) => [...leavesOf(each, `${way}.${name}`)]));
}

/** Of masked values such as ‹phone 2› only the kind counts. */
function errorOf(played: PlayedStep): Map<string, unknown> {
  const kindAlone = (value: unknown) =>
    typeof value === 'string' ? value.replace(/‹([^›]*) \d+›/g, '‹$1›') : value;
  const leaves = [...leavesOf(replyIn(played)?.error ?? played.result)];
  return new Map(leaves.map(([name, value]) => [name, kindAlone(value)]));
}

const agreed = (errors: readonly Map<string, unknown>[], name: string): unknown =>
  errors.every((error) => error.get(name) === errors[0]?.get(name))
    ? (errors[0]?.get(name) ?? null)
    : undefined;

/** A value that differs even between steps of one kind, such as an incident's number, tells nothing. */
export function whatTells(some: readonly PlayedStep[], others: readonly PlayedStep[]): string | undefined {
  const [own, other] = [some.map(errorOf), others.map(errorOf)];
  const names = new Set([...own, ...other].flatMap((error) => [...error.keys()]));
  return [...names].find((name) => {
    const [here, there] = [agreed(own, name), agreed(other, name)];
    return here !== undefined && there !== undefined && here !== there;
  });
}

export const headerIn = (message: ExchangeEntry['request' | 'response'], name: string): string | null =>
  headerOf(message?.headers, name) ?? null;

export const valuesOf = ({ result }: { result: StepResult }): Readonly<Record<string, string | undefined>> =>
  result.kind === 'done' ? result.values : {};

/** Servers name it userSign, user_sign, or both. */
export function signOf(played: { result: StepResult }): string | undefined {
  const { userSign, user_sign, signInside } = valuesOf(played);
  return userSign ?? user_sign ?? signInside;
}
