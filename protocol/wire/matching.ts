/** Makes the keys by which patient properties are compared (decisions 23 to 27). */

/** Gender codes on the wire. */
export const GENDERS = { male: 0, female: 1, other: 2, unknown: 3 } as const;

/** Marks that nobody sees: soft hyphen, marks of direction, and those without a width. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/** What stands for an apostrophe where people type: U+2019 on phones, U+02BC in Ukrainian names. */
const APOSTROPHES = /[\u2018\u2019\u02bc`]/gu;
const HYPHENS = /[\u2010\u2011]/gu;

/** What stands between the digits of a phone or a code. U+2010 to U+2015 and U+2212 are dashes. */
const SEPARATORS = /[\s+\-().\u2010-\u2015\u2212]/gu;
/** The signs of ASCII as keyboards of East Asia write them, each `FULL_WIDTH_OFFSET` above its own. */
const FULL_WIDTH = /[\uff01-\uff5e]/gu;
const FULL_WIDTH_OFFSET = 0xfee0;

/** A name as it is seen: without marks that nobody sees. */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, '');
}

/**
 * The key of a name (decisions 26 and 39): Unicode NFC, outer space trimmed, inner space folded to one blank,
 * case folded without a locale, `ё` as `е`, `i` without a dot of its own, look-alike apostrophes and hyphens
 * as one, invisible marks left out.
 * @example nameKey('  Алёшин ') // 'алешин'
 */
export function nameKey(name: string): string {
  const text = visibleText(name).normalize('NFC').trim().replace(/\s+/gu, ' ');
  // Lower, upper, lower: a single pass would not equate ß, ẞ and SS, or the two small sigmas.
  const folded = text.toLowerCase().toUpperCase().toLowerCase();
  return (
    folded
      .normalize('NFD')
      .replace(/е\u0308+/gu, 'е')
      // The lower case of a capital I with a dot (U+0130) is an i with a mark.
      .replace(/i\u0307+/gu, 'i')
      .normalize('NFC')
      // Upper case makes an apostrophe of a letter (U+0149).
      .replace(APOSTROPHES, "'")
      .replace(HYPHENS, '-')
  );
}

/** The digits of a phone or a code as typed or pasted: without separators and invisible marks, in ASCII. */
export function digitsTyped(text: string): string {
  const ascii = (sign: string) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_OFFSET);
  return visibleText(text).replace(FULL_WIDTH, ascii).replace(SEPARATORS, '');
}

/**
 * The key of a phone: digits alone, without an extension (`x123`, `ext. 123`). The Russian trunk prefix 8 of
 * an eleven-digit number becomes 7. Dashes, invisible marks and full-width signs are read as people see them.
 * @returns undefined when it contains anything but digits and the separators space + - ( ) . or has fewer
 *   than 5 or more than 15 digits (the bounds of an E.164 number)
 * @example phoneKey('8 (999) 000-00-01') // '79990000001'
 */
export function phoneKey(phone: string): string | undefined {
  // An e-mail address has no extension.
  if (phone.includes('@')) return undefined;
  const digits = digitsTyped(phone.replace(EXTENSION, ''));
  if (!/^[0-9]{5,15}$/.test(digits)) return undefined;
  return digits.length === 11 && digits.startsWith('8') ? `7${digits.slice(1)}` : digits;
}

/** An extension: from `x` or `ext` before a digit to the end, whatever follows: so no text is read twice. */
const EXTENSION = /(?:x|ext(?:ension)?)[\s.:]*\d.*/isu;

const DATE_SHAPE = /^(\d{4})-(\d{2})-(\d{2})(?:[ T]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z?)?$/;

/**
 * The key of a date of birth: its calendar day as written, without any time zone. Accepted are
 * `YYYY-MM-DD hh:mm:ss.mmm`, the same without the fraction, ISO 8601 with `T` and `Z`, and the date alone.
 * @returns `YYYY-MM-DD`, or undefined when it has another form or is no day of the calendar
 */
export function dayKey(date: string): string | undefined {
  const match = DATE_SHAPE.exec(date);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const calendar = new Date(0);
  calendar.setUTCFullYear(year, month - 1, day);
  const exists =
    calendar.getUTCFullYear() === year &&
    calendar.getUTCMonth() === month - 1 &&
    calendar.getUTCDate() === day;
  return exists ? date.slice(0, 10) : undefined;
}

/** The key of a medical card number: outer space trimmed, case folded. */
export function cardKey(card: string): string {
  return nameKey(card);
}
