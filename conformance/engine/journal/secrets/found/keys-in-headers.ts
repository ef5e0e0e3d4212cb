/** Finds tokens and signatures in headers of an answer to a client, where logs and histories have them. */
import { decodedTexts } from '../decoded-texts.ts';
import type { Knowledge } from '../knowledge.ts';

export const IN_HEADER = 'a token or signature in header ';

/** A cookie that no script of a page can read. */
const HTTP_ONLY = /;\s*httponly\s*(;|$)/i;

/**
 * Lists the headers that have a token or a user_sign in them, such as "a token or signature in header
 * location". A cookie that is HttpOnly is meant to carry one.
 */
export function keysInHeaders(
  headers: readonly (readonly [string, string])[],
  { owned }: Pick<Knowledge, 'owned'>,
): string[] {
  const texts = headers
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name, value]) => !(name === 'set-cookie' && HTTP_ONLY.test(value)))
    .map(([name, value]) => ({
      name,
      text: [value, percentDecoded(value), ...decodedTexts(value)].join('\n'),
    }));
  // Most keys occur nowhere. They are searched in all headers first, and only then by header.
  const everything = texts.map(({ text }) => text).join('\n');
  const shown = [...owned.keys()].filter((key) => everything.includes(key));
  const telling = texts.filter(({ text }) => shown.some((key) => text.includes(key)));
  return [...new Set(telling.map(({ name }) => `${IN_HEADER}${name}`))];
}

/** The text without its percent-encoding; '' where that is broken. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
