/** Replacing a secret in every form in which it could hide: plain, escaped, URL-encoded, base64 or hexadecimal. */
import { formsOf } from './canaries.ts';

/** A form to be found, and the characters around it that belong to the same value. */
export type SoughtForm = { pattern: RegExp; before: RegExp | undefined; after: RegExp };

/** Shorter ones would be found in any random token. */
const SHORTEST_CODED = 8;

export function soughtForms(value: string): SoughtForm[] {
  const forms = formsOf(value).filter(({ form, needle }) => !isCoded(form) || needle.length >= SHORTEST_CODED);
  const plain = forms.filter(({ form }) => !isCoded(form)).map(({ needle }) => needle);
  const base64 = forms.filter(({ form }) => form.startsWith('base64')).map(({ needle }) => needle);
  const hex = forms.filter(({ form }) => form === 'hexadecimal').map(({ needle }) => needle);
  return [
    ...(plain.length > 0 ? [{ pattern: oneOf(plain, 'giu'), before: undefined, after: PLAIN_REST }] : []),
    ...(base64.length > 0 ? [{ pattern: oneOf(base64, 'gu'), before: BASE64, after: BASE64_REST }] : []),
    ...(hex.length > 0 ? [{ pattern: oneOf(hex, 'giu'), before: HEX, after: HEX_REST }] : []),
  ];
}

/** The text with each place where one of the forms stands replaced by what `name` gives for it. */
export function findForms(text: string, forms: readonly SoughtForm[], name: (found: string) => string): string {
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
const PLAIN_REST = /(?:[\p{L}\p{N}-]|%[0-9a-f]{2}|\\u[0-9a-f]{4})*/iuy;
const BASE64 = /[A-Za-z0-9+/_-]/;
const BASE64_REST = /[A-Za-z0-9+/_-]*={0,2}/y;
const HEX = /[0-9a-f]/i;
const HEX_REST = /[0-9a-f]*/iy;

function oneOf(needles: readonly string[], flags: string): RegExp {
  const longestFirst = [...new Set(needles)].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((needle) => needle.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|'), flags);
}
