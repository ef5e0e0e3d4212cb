/** Says what kind of text came where JSON ought to come, without quoting it: it may contain secrets. */
import { tryJson } from '#protocol/wire/json.ts';

/**
 * A pattern for each kind of text, and its words; the first pattern that matches counts. The text was read as
 * UTF-8, so each byte that is no UTF-8 became \ufffd.
 */
const KINDS: readonly [RegExp, string][] = [
  [/^\s*$/, 'it is empty'],
  [/^\ufeff/, 'it begins with a byte order mark'],
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

/**
 * Says why a text is not JSON.
 * @returns a clause such as "is not JSON: it is HTML"; `undefined` for JSON
 */
export function whyNotJson(text: string): string | undefined {
  return tryJson(text) ? undefined : `is not JSON: ${kindOfText(text)}`;
}

export const kindOfText = (text: string): string =>
  KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? 'it is plain text';
