/**
 * Builds a regular expression that finds a secret in any mixture of URL, HTML, JSON and JavaScript escapes.
 * The kit searches messages with it, so that an escaped secret is found and masked, too.
 */

/**
 * Returns the source of a pattern for the value. Each of its characters may be plain, or escaped once or
 * twice. Use the pattern with the flags `iu`.
 * @param cut the number of characters that may be missing at either end
 */
export function escapedPattern(value: string, cut = 0): string {
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

const literally = (character: string) => character.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');

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
