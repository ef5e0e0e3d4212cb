/**
 * Searches bytes for canaries: values that occur nowhere else, such as the patient data of the kit's
 * personas. A canary is found in every form in which a server could hide it.
 */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64Of, textOfBytes } from '#protocol/wire/bytes.ts';

/** A form of a value: `needle` is the text to search for. Its case counts in base64 alone. */
export type Form = {
  readonly form: string;
  readonly needle: string;
  readonly code?: 'base64' | 'hexadecimal';
  /** Finds the needle outside longer words and numbers, where it counts only there. */
  readonly alone?: RegExp;
};

/** A shorter number occurs in longer ones by chance: it counts where it stands alone. */
export const MIN_WITHIN_CHARS = 8;

export const isShortNumber = (value: string) => value.length < MIN_WITHIN_CHARS && /^\d+$/.test(value);

/** Makes a pattern match only outside longer words and numbers. Use the result with the flags `iu`. */
export const standingAlone = (pattern: string) => `${NOT_IN_WORD}${pattern}(?![\\p{L}\\p{N}])`;

/** Not preceded by a letter or digit, unless this letter or digit is the end of an escape. */
const NOT_IN_WORD = '(?:(?<![\\p{L}\\p{N}])|(?<=%[0-9a-f]{2})|(?<=\\\\u[0-9a-f]{4})|(?<=\\\\[nrt]))';

export const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/**
 * Lists which values occur in a text or its bytes, and in which form: plain (any case), reversed, as JSON
 * escapes, URL-encoded, base64 (either alphabet, at any offset inside a longer text) or hexadecimal.
 */
export function findCanaries(
  bytes: string | Uint8Array,
  values: readonly string[],
  forms = formsOf,
): { value: string; form: string }[] {
  const text = typeof bytes === 'string' ? bytes : textOfBytes(bytes);
  const exact = readings(text).join('\n');
  const texts = { exact, lower: exact.toLowerCase() };
  return values.flatMap((value) =>
    forms(value)
      .filter(({ needle, code, alone }) =>
        code === 'base64'
          ? texts.exact.includes(needle)
          : texts.lower.includes(needle.toLowerCase()) && (!alone || alone.test(texts.exact)),
      )
      .map(({ form }) => ({ value, form })),
  );
}

/** The text itself, without the signs between digits (of phones), and with escapes of escapes undone. */
function readings(text: string): string[] {
  const squeezed = text.replace(/(?<=\d)[ ().-]+(?=\d)/g, '');
  return [...new Set([text, squeezed, text.replace(/\\{2,}/g, '\\')])];
}

/**
 * Returns a function that does what {@link formsOf} does, but computes the forms of a value only once, and
 * lets short numbers count only where they stand alone.
 */
export function rememberedForms(): typeof formsOf {
  const known = new Map<string, readonly Form[]>();
  return (value) => {
    const forms = known.get(value) ?? formsOf(value).map(isShortNumber(value) ? onlyAlone : (form) => form);
    known.set(value, forms);
    return forms;
  };
}

const onlyAlone = (form: Form): Form =>
  form.code ? form : { ...form, alone: new RegExp(standingAlone(literally(form.needle)), 'iu') };

export function formsOf(value: string): readonly Form[] {
  const utf8 = utf8ToBytes(value);
  const urlEncoded = encodeURIComponent(value);
  const forms: Form[] = [
    { form: 'plain', needle: value },
    { form: 'reversed', needle: Array.from(value).reverse().join('') },
    { form: 'JSON escapes', needle: value.replace(/[\s\S]/g, escaped) },
    { form: 'JSON escapes of what is not ASCII', needle: escapeNonAscii(value) },
    { form: 'URL-encoded', needle: urlEncoded },
    { form: 'form-encoded', needle: urlEncoded.replaceAll('%20', '+') },
    { form: 'URL-encoded twice', needle: encodeURIComponent(urlEncoded) },
    { form: 'hexadecimal', needle: bytesToHex(utf8), code: 'hexadecimal' },
    ...base64Forms(utf8),
  ];
  // A value with nothing to escape looks the same in several forms; the plainest one names it.
  return forms.filter(({ needle }, index) => forms.findIndex((other) => other.needle === needle) === index);
}

/**
 * Base64 writes three bytes as four characters, so a value inside a longer text looks different at each of
 * three offsets. Each needle has only the characters that do not depend on the bytes around the value.
 */
function base64Forms(value: Uint8Array): Form[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = base64Of(Uint8Array.of(...Array(offset).fill(0), ...value)).replace(/=+$/, '');
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + value.length) * 8) / 6);
    const needle = encoded.slice(first, last);
    const urlNeedle = needle.replaceAll('+', '-').replaceAll('/', '_');
    const form = `base64 at offset ${offset}`;
    return [
      { form, needle, code: 'base64' },
      { form: `${form}, URL alphabet`, needle: urlNeedle, code: 'base64' },
    ];
  });
}

const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

export const escapeNonAscii = (value: string) => value.replace(/[^\x20-\x7e]/g, escaped);
