/** Interprets the answer to a step: done, refused or failed. */
import { isObject, readReply } from '#protocol/wire/envelope.ts';
import { errorTable } from '#protocol/wire/errors.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { StepResult, Values } from '../../journal/entry.ts';
import type { Extraction, RequestStep } from '../file/step-schema.ts';
import { valueAt } from './json-pointer.ts';
import { type Answer, failed } from './send.ts';
import { fill, type Variables } from './template.ts';
import { whyNotJson } from './why-not-json.ts';

/** Places by the name of their value. */
export type Places = Readonly<Record<string, Extraction | undefined>>;

/** What is read from the answer to a step. */
export type Wanted = {
  places: Places;
  /** Names of the values without which the step is not done. */
  required: readonly string[];
  /** Values that were sent. */
  variables: Variables;
};

/**
 * Reads the answer to an HTTP request. HTTP 4xx is a refusal. So is a 2xx answer that has a code or reason
 * where the adapter file places those of a refusal. HTTP 5xx is a failure.
 */
export function readHttpAnswer(
  { success, refusal }: Pick<RequestStep, 'success' | 'refusal'>,
  answer: Answer,
  wanted: Wanted,
): StepResult {
  const { status } = answer;
  const json = tryJson(answer.text)?.value;
  const said = { code: scalarAt(json, refusal?.code), reason: scalarAt(json, refusal?.reason) };
  if (status >= 500) return failed('server-error', `HTTP ${status}`);
  if (status >= 400) return refused(status, said);
  if (status >= 300) {
    const location = answer.headers.get('location') ?? '';
    const refusal3xx = matched(refusal?.location, location);
    if (refusal3xx !== undefined) return refused(status, { ...said, reason: said.reason ?? refusal3xx });
    if (!success?.statuses?.includes(status)) return failed('unexpected-answer', redirectText(status));
    if (success.location !== undefined && matched(success.location, location) === undefined)
      return failed('unexpected-answer', `HTTP ${status}, and its Location does not tell a success`);
  }
  if (success?.statuses && !success.statuses.includes(status))
    return failed('unexpected-answer', `HTTP ${status}, which is not among the statuses of a success`);
  if (success?.pointer !== undefined && !isSuccess(json, success.pointer, success.equals)) {
    if (said.code !== undefined || said.reason !== undefined) return refused(status, said);
    return failed('unexpected-answer', `HTTP ${status}, and ${success.pointer} does not tell a success`);
  }
  return extracted(answer, wanted);
}

/** Reads the answer to a JSON-RPC call. An error is a refusal; an internal error (-32603) is a failure. */
export function readRpcAnswer(answer: Answer, id: number, wanted: Wanted): StepResult {
  const { status, text } = answer;
  if (status >= 300 && status < 400) return failed('unexpected-answer', redirectText(status));
  if (status >= 500) return failed('server-error', `HTTP ${status}`);
  let reply: ReturnType<typeof readReply>;
  try {
    reply = readReply(text, id);
  } catch (error) {
    if (status >= 400) return refused(status, {});
    const why = whyNotJson(text);
    return failed(
      'unexpected-answer',
      `HTTP ${status}: ${why ? `The reply ${why}.` : (error as TypeError).message}`,
    );
  }
  if ('result' in reply) return status >= 400 ? refused(status, {}) : extracted(answer, wanted);
  const { code, message, data } = reply.error;
  if (code === errorTable.internal_error.code) return failed('server-error', `JSON-RPC error ${code}`);
  const reason = isObject(data) && typeof data.reason === 'string' ? data.reason : message;
  return refused(status, { code: String(code), reason });
}

/** Reads the values at these places; leaves out those that the answer lacks. */
export function valuesFrom(places: Places, answer: Answer, variables: Variables): Values {
  const json = tryJson(answer.text)?.value;
  const values: Record<string, string> = {};
  for (const [name, place] of Object.entries(places)) {
    const value = place === undefined ? undefined : valueFrom(place, answer, json, variables);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** Describes a redirect that the adapter file does not name. */
export function redirectText(status: number): string {
  return `HTTP ${status}: a redirect, which is not followed`;
}

/** The first group of a pattern's match, or the whole match. */
function matched(pattern: string | undefined, text: string): string | undefined {
  if (pattern === undefined) return undefined;
  const match = new RegExp(pattern, 'u').exec(text);
  return match?.[1] ?? match?.[0];
}

const MAX_REASON_CHARS = 200;

function refused(
  status: number,
  { code, reason }: { code?: string | undefined; reason?: string | undefined },
): StepResult {
  const [shortCode, shortReason] = [code?.slice(0, MAX_REASON_CHARS), reason?.slice(0, MAX_REASON_CHARS)];
  return { kind: 'refused', status, code: shortCode, reason: shortReason };
}

function isSuccess(
  json: unknown,
  pointer: string,
  equals: string | number | boolean | null | undefined,
): boolean {
  const value = valueAt(json, pointer);
  return equals === undefined ? value !== undefined && value !== null && value !== false : value === equals;
}

function extracted(answer: Answer, { places, required, variables }: Wanted): StepResult {
  const values = valuesFrom(places, answer, variables);
  const lacking = required.filter((name) => values[name] === undefined);
  if (lacking.length === 0) return { kind: 'done', values };
  const details = lacking.map((name) => `${name} (${placeText(places[name])})`);
  const isPointed = lacking.some((name) => typeof places[name] === 'string');
  const why = isPointed ? whyNotJson(answer.text) : undefined;
  return failed(
    'unexpected-answer',
    `HTTP ${answer.status}, a success that lacks ${details.join(' and ')}${why ? `: the body ${why}` : ''}`,
  );
}

function valueFrom(
  place: Extraction,
  { headers, text }: Answer,
  json: unknown,
  variables: Variables,
): string | undefined {
  if (typeof place === 'string') return scalarAt(json, place);
  if ('value' in place) return fill(place.value, variables);
  if ('cookie' in place) return cookieOf(headers, place.cookie);
  if (!('header' in place)) return matched(place.pattern, text) || undefined;
  const lines =
    place.header.toLowerCase() === 'set-cookie' ? headers.getSetCookie() : [headers.get(place.header) ?? ''];
  for (const line of lines) {
    const value = place.pattern === undefined ? line : matched(place.pattern, line);
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

/** The value of a cookie that the answer sets; of several the last, as a browser keeps it. */
function cookieOf(headers: Headers, name: string): string | undefined {
  return headers
    .getSetCookie()
    .map((line) => /^\s*([^=;]*?)\s*=\s*([^;]*?)\s*(?:;|$)/.exec(line))
    .findLast((match) => match?.[1] === name && match[2] !== '')?.[2];
}

/** Describes in words where a value is read. */
export function placeText(place: Extraction | undefined): string {
  if (place === undefined) return 'for which no place is given';
  if (typeof place === 'string') return `at ${place === '' ? 'the top' : place}`;
  if ('cookie' in place) return `in the cookie ${place.cookie}`;
  if ('header' in place) return `in the header ${place.header}`;
  return 'value' in place ? 'from what was sent' : `by the pattern ${place.pattern}`;
}

/** A text that is not empty, or a number as text. */
function scalarAt(json: unknown, pointer: string | undefined): string | undefined {
  const value = pointer === undefined ? undefined : valueAt(json, pointer);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
