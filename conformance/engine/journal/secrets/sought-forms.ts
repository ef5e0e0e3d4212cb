/**
 * Finds a secret in a text, and replaces it, in every form in which a server could write it: plain, escaped,
 * base64 or hexadecimal, whole or with a few characters missing.
 */
import { formsOf } from './canaries.ts';
import { escapedPattern } from './escaped-pattern.ts';

/** A form to search. `before` and `after` match adjoining characters that belong to the same encoded word. */
export type SoughtForm = { pattern: RegExp; before: RegExp | undefined; after: RegExp };

/** A shorter base64 or hexadecimal form might occur in any random token. */
const MIN_CODED_CHARS = 8;

/** Returns the forms of a value, which may be the beginning of a longer value. */
export function soughtForms(value: string): SoughtForm[] {
  const forms = formsOf(value).filter(
    ({ form, needle }) => !isCoded(form) || needle.length >= MIN_CODED_CHARS,
  );
  const plain = forms.filter(({ form }) => !isCoded(form)).map(({ needle }) => needle);
  const base64 = forms.filter(({ form }) => form.startsWith('base64')).map(({ needle }) => needle);
  const hex = forms.filter(({ form }) => form === 'hexadecimal').map(({ needle }) => needle);
  return [
    ...(plain.length > 0 ? [{ pattern: oneOf(plain, 'giu'), before: undefined, after: PLAIN_REST }] : []),
    ...(base64.length > 0 ? [{ pattern: oneOf(base64, 'gu'), before: BASE64, after: BASE64_REST }] : []),
    ...(hex.length > 0 ? [{ pattern: oneOf(hex, 'giu'), before: HEX, after: HEX_REST }] : []),
  ];
}

/**
 * Returns the forms of a complete secret: any mixture of escapes, base64 and hexadecimal.
 * @param mayBeCut whether up to {@link MAX_CUT_CHARS} characters may be missing at either end
 */
export function secretForms(value: string, { mayBeCut }: { mayBeCut: boolean }): SoughtForm[] {
  const characters = Array.from(value);
  const cut = mayBeCut
    ? Math.max(0, Math.min(MAX_CUT_CHARS, Math.floor((characters.length - MIN_LEFT_CHARS) / 2)))
    : 0;
  const coded = soughtForms(characters.slice(cut, characters.length - cut).join('')).filter(
    ({ before }) => before,
  );
  const plain = mayBeCut ? escapedPattern(value, cut) : standingAlone(escapedPattern(value));
  return [{ pattern: new RegExp(plain, 'giu'), before: undefined, after: PLAIN_REST }, ...coded];
}

/**
 * How many characters may be missing at either end of a secret, and how many must be left. Fewer characters
 * could occur by chance.
 */
const MAX_CUT_CHARS = 3;
const MIN_LEFT_CHARS = 8;

/** Makes a pattern match only outside longer words and numbers. Use the result with the flags `iu`. */
export const standingAlone = (pattern: string) => `${NOT_IN_WORD}${pattern}(?![\\p{L}\\p{N}])`;

/** Not preceded by a letter or digit, unless this letter or digit is the end of an escape. */
const NOT_IN_WORD = '(?:(?<![\\p{L}\\p{N}])|(?<=%[0-9a-f]{2})|(?<=\\\\u[0-9a-f]{4})|(?<=\\\\[nrt]))';

export function hasForm(text: string, forms: readonly SoughtForm[]): boolean {
  return forms.some(({ pattern }) => text.search(pattern) !== -1);
}

/** Replaces each text that has one of the forms by what `name` returns for this text. */
export function findForms(
  text: string,
  forms: readonly SoughtForm[],
  name: (found: string) => string,
): string {
  let result = text;
  for (const { pattern, before, after } of forms) {
    if (result.search(pattern) === -1) continue;
    let replaced = '';
    let copied = 0;
    for (const match of result.matchAll(pattern)) {
      if (match.index < copied) continue;
      let from = match.index;
      while (before && from > copied && before.test(result[from - 1] as string)) from--;
      after.lastIndex = match.index + match[0].length;
      const to = after.lastIndex + (after.exec(result)?.[0].length ?? 0);
      replaced += result.slice(copied, from) + name(result.slice(from, to));
      copied = to;
    }
    result = replaced + result.slice(copied);
  }
  return result;
}

const isCoded = (form: string) => form.startsWith('base64') || form === 'hexadecimal';
/** The rest of the word in which a form was found, for each kind of form. */
const PLAIN_REST = /(?:[\p{L}\p{N}-]|%[0-9a-f]{2}|\\u[0-9a-f]{4}|&#?\w{2,8};)*/iuy;
const BASE64 = /[A-Za-z0-9+/_-]/;
const BASE64_REST = /[A-Za-z0-9+/_-]*={0,2}/y;
const HEX = /[0-9a-f]/i;
const HEX_REST = /[0-9a-f]*/iy;

function oneOf(needles: readonly string[], flags: string): RegExp {
  const longestFirst = [...new Set(needles)].sort((a, b) => b.length - a.length);
  return new RegExp(
    longestFirst.map((needle) => needle.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|'),
    flags,
  );
}
