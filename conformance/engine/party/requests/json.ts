/**
 * Reads a value from JSON by a JSON Pointer (RFC 6901), and from a JSON Web Token: so an adapter file says
 * where a value stands in an answer. Says what came where JSON ought to come.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import { unreadIn } from '../../wire/body.ts';

/**
 * The value at a pointer that {@link POINTER} matches, if any. Finds no inherited members (`toString`).
 * @example valueAt({ result: { 'a/b': [7] } }, '/result/a~1b/0') // 7
 */
export function valueAt(json: unknown, pointer: string): unknown {
  let value = json;
  for (const token of tokensOf(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) value = ARRAY_INDEX.test(token) ? value[Number(token)] : undefined;
    else value = Object.hasOwn(value, token) ? (value as Record<string, unknown>)[token] : undefined;
  }
  return value;
}

export const memberPointer = (pointer: string, name: string): string =>
  `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Matches every valid JSON Pointer: empty, or starting with a slash, with `~` only in `~0` and `~1`. */
export const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/u;

/** An index without leading zeros and sign. Nine digits are more than an answer can hold. */
const ARRAY_INDEX = /^(?:0|[1-9]\d{0,8})$/;

function tokensOf(pointer: string): string[] {
  // `~1` must be replaced before `~0`, so that `~01` becomes `~1`.
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What a JSON Web Token says of its user. Its signature is the business of those who issue it. */
export function claimsOf(token: string): Record<string, unknown> | undefined {
  const [, claims = '', signature] = token.split('.');
  if (signature === undefined) return undefined;
  const read = tryJson(Buffer.from(claims, 'base64url').toString())?.value;
  return isObject(read) ? read : undefined;
}

/** Kinds of text, the first that matches counts. A byte that is no UTF-8 was read as \ufffd. */
const KINDS: readonly [RegExp, string][] = [
  [/^\s*$/, 'it is empty'],
  [/^\p{Cc}\ufffd/u, 'it is compressed by gzip, and no Content-Encoding says so'],
  [/^\ufffd{2}|^\S?(?!\s)\p{Cc}/u, 'it is in UTF-16'],
  [/^(?:PK|%PDF|\ufffdPNG)/, 'it is a file of another type'],
  [/\ufffd/, 'it is not in UTF-8'],
  [/^\s*<(?:!doctype html|html|head|body)\b/i, 'it is HTML'],
  [/^\s*</, 'it is HTML or XML'],
  [/^\s*(?:\)\]\}'|for ?\(;;\)|while ?\(1\))/, 'something stands before the JSON'],
  [/^\s*[\w$.]+\(/, 'it is a call in JavaScript (JSONP)'],
  [/^\s*[[{]/, 'it begins as JSON, and is cut off or malformed'],
];

/** Says why a text "is not JSON: it is HTML", without a quotation, which may be secret; undefined for JSON. */
export function whyNotJson(text: string): string | undefined {
  return tryJson(text) ? undefined : `is not JSON: ${kindOfText(text)}`;
}

export function kindOfText(text: string): string {
  const unread = unreadIn(text);
  if (unread !== undefined) return `it is ${unread}`;
  return KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? 'it is plain text';
}
