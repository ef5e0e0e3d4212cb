/**
 * Reads the answer of the server under test to a step, as the adapter file describes it. The step is done
 * (its values are read), refused (the server said no) or failed (no usable answer).
 */
import { isObject, readReply } from '#protocol/wire/envelope.ts';
import { errorTable } from '#protocol/wire/errors.ts';
import { isNumber, tryJson } from '#protocol/wire/json.ts';
import type { StepResult, Values } from '../../journal/entry.ts';
import { unreadIn } from '../../wire/body.ts';
import type { Extraction, RequestStep } from '../file/step-schema.ts';
import { cookiesAfter } from './cookies.ts';
import { claimsOf, memberPointer, valueAt, whyNotJson } from './json.ts';
import { type Answer, failed } from './send.ts';
import { fill, type Variables } from './template.ts';

export type Places = Readonly<Record<string, Extraction | undefined>>;

export type Wanted = {
  places: Places;
  /** Names of the values without which the step is not done. */
  required: readonly string[];
  /** Values that were sent; a place `{ value }` takes its value from these. */
  variables: Variables;
};

/**
 * Reads the answer to an HTTP request.
 * - HTTP 5xx is a failure; HTTP 4xx and the statuses that `refusal.statuses` lists are refusals.
 * - HTTP 3xx is a refusal when its Location matches `refusal.location`, and a success only when the adapter
 * file lists its status.
 * - HTTP 2xx is a refusal when `refusal.pattern` matches its text, or when it does not tell a success
 * (`success.pointer`) and has a code or a reason where `refusal` places them. A file that places neither
 * takes any other value than `success.equals` for a refusal.
 */
export function readHttpAnswer(
  { success, refusal }: Pick<RequestStep, 'success' | 'refusal'>,
  answer: Answer,
  wanted: Wanted,
): StepResult {
  const { status } = answer;
  const json = tryJson(answer.text)?.value;
  const refusalWords = { code: scalarAt(json, refusal?.code), reason: scalarAt(json, refusal?.reason) };
  if (status >= 500) return failed('server-error', `HTTP ${status}`);
  if (status >= 400 || refusal?.statuses?.includes(status)) return refused(status, refusalWords);
  if (status >= 300) {
    const location = answer.headers.get('location') ?? '';
    const refusal3xx = matched(refusal?.location, location);
    if (refusal3xx !== undefined)
      return refused(status, { ...refusalWords, reason: refusalWords.reason ?? refusal3xx });
    if (!success?.statuses?.includes(status)) return failed('unexpected-answer', redirectText(status));
    if (success.location !== undefined && matched(success.location, location) === undefined)
      return failed('unexpected-answer', `HTTP ${status}, and its Location does not tell a success`);
  }
  const unread = refusal?.pattern !== undefined && unreadIn(answer.text);
  if (status < 300 && unread) return failed('unexpected-answer', `HTTP ${status} with ${unread}`);
  const shown = status < 300 ? matched(refusal?.pattern, answer.text) : undefined;
  if (shown !== undefined)
    return refused(status, { ...refusalWords, reason: refusalWords.reason ?? shown.trim() });
  if (success?.statuses && !success.statuses.includes(status))
    return failed('unexpected-answer', `HTTP ${status}, which is not among the statuses of a success`);
  const value = success?.pointer === undefined ? undefined : valueAt(json, success.pointer);
  if (success?.pointer !== undefined && !isSuccess(value, success.equals)) {
    const hasPlaces = refusal?.code !== undefined || refusal?.reason !== undefined;
    const isOther = !hasPlaces && success.equals !== undefined && value !== undefined;
    if (isOther || refusalWords.code !== undefined || refusalWords.reason !== undefined)
      return refused(status, refusalWords);
    return failed('unexpected-answer', `HTTP ${status}, and ${success.pointer} does not tell a success`);
  }
  return extracted(answer, wanted);
}

/** Reads the answer to a JSON-RPC call. An error is a refusal, an internal error (-32603) a failure. */
export function readRpcAnswer(answer: Answer, id: number, wanted: Wanted): StepResult {
  const { status, text } = answer;
  if (status >= 300 && status < 400) return failed('unexpected-answer', redirectText(status));
  if (status >= 500) return failed('server-error', `HTTP ${status}`);
  let reply: ReturnType<typeof readReply>;
  try {
    reply = readReply(text, id);
  } catch (error) {
    // A proxy may refuse without JSON: the status tells enough.
    if (status >= 400) return refused(status, {});
    const why = whyNotJson(text);
    const message = why ? `The reply ${why}.` : (error as TypeError).message;
    return failed('unexpected-answer', `HTTP ${status}: ${message}`);
  }
  if ('result' in reply) return status >= 400 ? refused(status, {}) : extracted(answer, wanted);
  const { code, message, data } = reply.error;
  if (code === errorTable.internal_error.code) return failed('server-error', `JSON-RPC error ${code}`);
  const reason = isObject(data) && typeof data.reason === 'string' ? data.reason : message;
  return refused(status, { code: String(code), reason });
}

export function valuesFrom(places: Places, answer: Answer, variables: Variables): Values {
  const json = tryJson(answer.text)?.value;
  const values: Record<string, string> = {};
  for (const [name, place] of Object.entries(places)) {
    const value = place === undefined ? undefined : valueFrom(place, answer, json, variables);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** A redirect, in words, that the adapter file names neither as a success nor as a refusal. */
export function redirectText(status: number): string {
  return `HTTP ${status}: a redirect, which is not followed`;
}

/** The first group of a pattern's match, or the whole match. `undefined` without a pattern or a match. */
function matched(pattern: string | undefined, text: string): string | undefined {
  if (pattern === undefined) return undefined;
  const match = new RegExp(pattern, 'u').exec(text);
  return match?.[1] ?? match?.[0];
}

/** Limits the code and the reason of a refusal: one line or two in a report. */
const MAX_REASON_CHARS = 200;

function refused(
  status: number,
  { code, reason }: { code?: string | undefined; reason?: string | undefined },
): StepResult {
  const short = (text: string | undefined) => text?.slice(0, MAX_REASON_CHARS);
  return { kind: 'refused', status, code: short(code), reason: short(reason) };
}

function isSuccess(value: unknown, equals: string | number | boolean | null | undefined): boolean {
  return equals === undefined ? value !== undefined && value !== null && value !== false : value === equals;
}

/** The step is done when the answer has every required value. Otherwise the text says what lacks. */
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

/** Reads one value where the file says: in the JSON, a token, a cookie, a header, or by a pattern. */
function valueFrom(
  place: Extraction,
  answer: Answer,
  json: unknown,
  variables: Variables,
): string | undefined {
  const { headers, text } = answer;
  if (typeof place === 'string') return scalarAt(json, place);
  if ('value' in place) return fill(place.value, variables);
  if ('jwt' in place)
    return scalarAt(claimsOf(scalarAt(json, place.jwt) ?? ''), memberPointer('', place.claim));
  if ('cookie' in place) return cookiesAfter(headers.getSetCookie(), answer).get(place.cookie);
  if (!('header' in place)) return matched(place.pattern, text) || undefined;
  const lines =
    place.header.toLowerCase() === 'set-cookie' ? headers.getSetCookie() : [headers.get(place.header) ?? ''];
  const values = lines.map((line) => (place.pattern === undefined ? line : matched(place.pattern, line)));
  return values.find((value) => value !== undefined && value !== '');
}

/** Describes in words where a value is read. */
export function placeText(place: Extraction | undefined): string {
  if (place === undefined) return 'for which no place is given';
  if (typeof place === 'string') return `at ${place === '' ? 'the top' : place}`;
  if ('jwt' in place) return `in the claim ${place.claim} of the token at ${place.jwt}`;
  if ('cookie' in place) return `in the cookie ${place.cookie}`;
  if ('header' in place) return `in the header ${place.header}`;
  return 'value' in place ? 'from what was sent' : `by the pattern ${place.pattern}`;
}

/** The value at a pointer: a text that is not empty, or a number as text. `undefined` for anything else. */
function scalarAt(json: unknown, pointer: string | undefined): string | undefined {
  const value = pointer === undefined ? undefined : valueAt(json, pointer);
  if (isNumber(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
