/** Finds how the server tells a success from a refusal, where the statuses of HTTP do not tell it. */
import { isObject } from '#protocol/wire/envelope.ts';
import { leavesOf, type SeenValue, wordsOf } from '../../../engine/learn/exchange.ts';
import { valueAt } from '../../../engine/party/requests/json.ts';
import type { ClientCall } from './calls.ts';
import { isHarmless } from './request/template.ts';
import { isRefusedAttempt } from './sign-in.ts';
import type { Findings } from './steps.ts';

export type Telling = { success?: Record<string, unknown>; refusal?: Record<string, unknown> };

/** How this answer, a success with a value at `needed`, differs from a refusal. */
export function tellingOf(call: ClientCall, findings: Findings, needed?: unknown): Telling {
  if (call.rpc) return {};
  const refused = refusedIn(findings);
  const ownRefused = refused.filter(({ title }) => title === call.title);
  const isToldInBody = refused.some(
    ({ exchange, rpc }) => exchange.answer.status < 300 && !rpc && exchange.answer.body.kind === 'json',
  );
  const byNeeded = isToldInBody && typeof needed === 'string' ? { pointer: needed } : undefined;
  const success = successMember(call, ownRefused) ?? byNeeded;
  const refusal = refusalPlaces(refused, success?.pointer);
  if (success && refusal) return { success, refusal };
  // A success that is told by a member, and a refusal with a status of its own.
  const isTold = refused.some(({ exchange }) => exchange.answer.status >= 400);
  if (success && !isTold) return { success };
  return { ...(isTold && refusal && { refusal }) };
}

/** Whether the recording has a wrong code, which alone shows how a refusal looks. */
export const showsRefusal = (findings: Findings): boolean =>
  findings.signIn.confirm.rpc !== undefined ||
  refusedIn(findings).some((call) => findings.signIn.attempts.includes(call));

/** The refusals of a recording: statuses of errors, and confirmations that opened no session. */
function refusedIn({ calls, signIn }: Findings): ClientCall[] {
  return calls.filter(
    (call) =>
      (call.exchange.answer.status >= 400 && call.exchange.answer.status < 500) ||
      isRefusedAttempt(call, signIn),
  );
}

const jsonOf = ({ exchange: { answer } }: ClientCall): unknown =>
  answer.body.kind === 'json' ? answer.body.json : undefined;

const FLAG_NAME =
  /^(?:ok|success|succeeded|successful|is success|status|result|state|outcome|code|result code|error code|err|error|errno)$/;
const FLAG_OF_SUCCESS = /^(?:true|ok|success|succeeded|done|0)$/i;

function successMember(call: ClientCall, refused: readonly ClientCall[]): Telling['success'] {
  const json = jsonOf(call);
  if (!isObject(json)) return undefined;
  const differs = (pointer: string, value: unknown) =>
    refused.every((each) => each.exchange.answer.status >= 400 || valueAt(jsonOf(each), pointer) !== value);
  const flags = flagsOf(json).filter(({ name, pointer, value }) => {
    const isFlag = FLAG_NAME.test(wordsOf(name)) && isHarmless(String(value), 'status');
    return isFlag && differs(pointer, value) && (refused.length > 0 || FLAG_OF_SUCCESS.test(String(value)));
  });
  const [flag] = flags;
  return flag && { pointer: flag.pointer, equals: flag.value };
}

function flagsOf(json: object): { name: string; pointer: string; value: string | number | boolean }[] {
  return Object.entries(json).flatMap(([name, value]) => {
    if (['string', 'number', 'boolean'].includes(typeof value))
      return [{ name, pointer: `/${name}`, value: value as boolean }];
    if (!isObject(value)) return [];
    return Object.entries(value)
      .filter(([, member]) => typeof member === 'boolean' || typeof member === 'string')
      .map(([key, member]) => ({ name: key, pointer: `/${name}/${key}`, value: member as boolean }));
  });
}

const depthOf = ({ place }: SeenValue): number => place.key.split('/').length;

const REASON_NAME = /\b(?:reason|problem|error|message|detail|title|description|msg|text|fault)\b/;
/** Names of a code, the surest first. */
const CODE_NAMES = [
  /^(?:code|(?:result|error|status|reason) code|err|errno)$/,
  /^(?:reason|error|type)$/,
  /^status$/,
];

/** Where refusals have code and reason. `flag`, which tells a success, is no code unless named so. */
function refusalPlaces(refused: readonly ClientCall[], flag: unknown): Telling['refusal'] {
  const leaves = refused
    .flatMap((each) => leavesOf(jsonOf(each)))
    .filter(({ value }) => value !== '')
    .toSorted((a, b) => depthOf(a) - depthOf(b));
  const reasons = leaves.filter(
    ({ name }) => REASON_NAME.test(wordsOf(name)) && !/ code$/.test(wordsOf(name)),
  );
  // A sentence is a reason, and a word beside it the code.
  const reason = (reasons.find(({ value }) => /\s/.test(value)) ?? reasons[0])?.place.key;
  const [code] = CODE_NAMES.flatMap((names, rank) =>
    leaves
      .filter(({ name, place, value }) => {
        const isFlag = rank > 0 && place.key === flag;
        return names.test(wordsOf(name)) && !isFlag && !/\s/.test(value);
      })
      .map(({ place }) => place.key),
  ).filter((key) => key !== reason);
  if (reason === undefined && code === undefined) return undefined;
  return { ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) };
}
