/**
 * Finds a secret in a text, and replaces it, in every form in which a server could write it: plain, escaped,
 * base64 or hexadecimal, whole or with a few characters missing.
 */
import { formsOf, isShortNumber, literally, standingAlone } from './canaries.ts';

/** A form to search. `before` and `after` match adjoining characters that belong to the same encoded word. */
export type SoughtForm = { pattern: RegExp; before: RegExp | undefined; after: RegExp };

/** A shorter base64 or hexadecimal form might occur in any random token. */
const MIN_CODED_CHARS = 8;

/** Returns the forms of a value, which may be the beginning of a longer value. */
export function soughtForms(value: string): SoughtForm[] {
  const forms = formsOf(value).filter(
    ({ code, needle }) => code === undefined || needle.length >= MIN_CODED_CHARS,
  );
  const isAlone = isShortNumber(value);
  return CODES.flatMap(({ code, flags, before, after }) => {
    const needles = forms.filter((form) => form.code === code).map(({ needle }) => needle);
    return needles.length > 0
      ? [{ pattern: oneOf(needles, flags, isAlone && code === undefined), before, after }]
      : [];
  });
}

/** Returns the forms of a complete secret. `mayBeCut`: a few characters may be missing at either end. */
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

/** How many characters may be missing at either end, and how many must be left: fewer occur by chance. */
const MAX_CUT_CHARS = 3;
const MIN_LEFT_CHARS = 8;

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

/** The rest of the word in which a form that is no code was found. */
const PLAIN_REST = /(?:[\p{L}\p{N}-]|%[0-9a-f]{2}|\\u[0-9a-f]{4}|&#?\w{2,8};)*/iuy;

const CODES = [
  { code: undefined, flags: 'giu', before: undefined, after: PLAIN_REST },
  { code: 'base64', flags: 'gu', before: /[A-Za-z0-9+/_-]/, after: /[A-Za-z0-9+/_-]*={0,2}/y },
  { code: 'hexadecimal', flags: 'giu', before: /[0-9a-f]/i, after: /[0-9a-f]*/iy },
] as const;

function oneOf(needles: readonly string[], flags: string, isAlone: boolean): RegExp {
  const longestFirst = [...new Set(needles)].sort((a, b) => b.length - a.length);
  const any = longestFirst.map(literally).join('|');
  return new RegExp(isAlone ? standingAlone(`(?:${any})`) : any, flags);
}

/**
 * Returns the source of a pattern that finds a value in any mixture of URL, HTML, JSON and JavaScript escapes.
 * Each of its characters may be plain, or escaped once or twice. Use the pattern with the flags `iu`.
 * @param cut the number of characters that may be missing at either end
 */
function escapedPattern(value: string, cut = 0): string {
  const characters = Array.from(value, escapedCharacter);
  const end = characters.length - cut;
  const head = characters.slice(0, cut).reduce((before, character) => `(?:${before}${character})?`, '');
  const tail = characters.slice(end).reduceRight((after, character) => `(?:${character}${after})?`, '');
  return head + characters.slice(cut, end).join('') + tail;
}

function escapedCharacter(character: string): string {
  const code = character.codePointAt(0) as number;
  const hex = code.toString(16);
  const named = Object.hasOwn(ENTITIES, character) ? [`&(?:amp;)?${ENTITIES[character]};`] : [];
  const short = Object.hasOwn(SHORT_ESCAPES, character) ? [`\\\\{1,3}${SHORT_ESCAPES[character]}`] : [];
  return `(?:${[
    literally(character),
    ...(character === ' ' ? ['\\+'] : []),
    percent(new TextEncoder().encode(character)),
    // A few libraries escape the byte of Latin-1 and not those of UTF-8.
    ...(code >= 0x80 && code <= 0xff ? [percent([code])] : []),
    `&(?:amp;)?#0{0,5}${code};?`,
    `&(?:amp;)?#x0{0,5}${hex};?`,
    ...named,
    Array.from({ length: character.length }, (_, at) => unicodeEscape(character.charCodeAt(at))).join(''),
    `\\\\{1,3}u\\{0{0,4}${hex}\\}`,
    ...(code <= 0xff ? [`\\\\{1,3}x${hex.padStart(2, '0')}`] : []),
    ...short,
  ].join('|')})`;
}

const percent = (bytes: Iterable<number>) =>
  Array.from(bytes, (byte) => `%(?:25)?${byte.toString(16).padStart(2, '0')}`).join('');

const unicodeEscape = (unit: number) => `\\\\{1,3}u${unit.toString(16).padStart(4, '0')}`;

/** The escapes of one letter in JSON and JavaScript, without their backslash. */
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\\\{1,3}',
  '/': '\\/',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
};

/** The HTML names of the characters from U+00A0 to U+00FF, in order. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  ...Object.fromEntries(LATIN_1.split(' ').map((name, index) => [String.fromCharCode(0xa0 + index), name])),
};
