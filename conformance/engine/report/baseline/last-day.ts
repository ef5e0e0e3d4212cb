/**
 * Reads until when a known failure is accepted: a day, or words for people such as `release 5`. A day in
 * another notation than `YYYY-MM-DD` is refused: taken for words, it would let the entry hold for ever.
 */
import { dayKey } from '#protocol/wire/matching.ts';

/**
 * What stands after "until": a day (`YYYY-MM-DD`); words for people; or a time in a notation that is refused.
 * `meant` is the day that such a time stands for, `undefined` where that is in doubt.
 */
export type Until = { day: string } | { words: true } | { refused: true; meant: string | undefined };

/** Patterns for the names of the months, January first, in English, German and Russian. */
const MONTHS = [
  'jan(?:uary|uar)?|jän(?:ner)?|янв(?:ар[ья])?',
  'feb(?:ruary|ruar)?|фев(?:рал[ья])?',
  'mar(?:ch)?|m(?:ä|ae)r(?:z)?|мар(?:та?)?',
  'apr(?:il)?|апр(?:ел[ья])?',
  'may|mai|ма[йя]',
  'jun[ei]?|июн[ья]?',
  'jul[yi]?|июл[ья]?',
  'aug(?:ust)?|авг(?:уста?)?',
  'sept?(?:ember)?|сент?(?:ябр[ья])?',
  'oct(?:ober)?|okt(?:ober)?|окт(?:ябр[ья])?',
  'nov(?:ember)?|ноя(?:бр[ья])?',
  'dec(?:ember)?|dez(?:ember)?|дек(?:абр[ья])?',
];
/** The name of any month, as a word of its own. */
const MONTH = `(?<![\\p{L}\\d])(?:${MONTHS.join('|')})(?!\\p{L})`;

/** Names with a number, such as "release 5" or "#12". Their numbers are not part of a time. */
const NAMED =
  /(?:release|version|build|sprint|milestone|ticket|issue|релиз\p{L}*|верси\p{L}*)[\s#:.-]*v?\d[\w.-]*|#\d+|\bv\d[\w.-]*/giu;
/** The id of a ticket, such as `ABC-123`. */
const TICKET = /\b[A-Z]{2,}[A-Z0-9]*-\d+/g;

/** Words for a time that need no date in digits, such as "next week", "q3" or "march". */
const TIMES: readonly RegExp[] = [
  /^(?:today|tomorrow|tonight)\b/,
  /\b(?:next|this|end of(?: the)?) (?:week|month|quarter|year)\b/,
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/,
  /\b(?:\d+|one|two|three|a) (?:day|week|month|quarter|year)s?\b/,
  /\b(?:q[1-4]|[1-4]q|kw ?\d+|week \d+|w\d\d)\b/,
  new RegExp(`^(?:(?:the |mid-?|end |start |beginning |of )*)${MONTH}\\.?$`, 'u'),
];

/** Digits that are a time: a year, a day and a month (`31.3`), or a date without separators (`20260331`). */
const NUMBERS =
  /(?<![\d.])(?:19|20|21)\d\d(?!\d)|(?<!\d)\d{1,2}\s*[./-]\s*\d{1,2}(?!\d)|(?<!\d)(?:\d{6}|\d{8})(?!\d)/;

/** Reads the text after "until" as a day, as words, or as a time in a notation that is refused. */
export function readUntil(text: string): Until {
  // Keyboards and word processors have their own hyphens and digits.
  const typed = text
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .trim();
  if (/^\d{4}-\d{2}-\d{2}$/.test(typed))
    return dayKey(typed) === typed ? { day: typed } : { refused: true, meant: undefined };
  const lower = typed.toLowerCase();
  const isTime =
    TIMES.some((time) => time.test(lower)) ||
    new RegExp(`\\d.*${MONTH}|${MONTH}.*\\d`, 'u').test(lower.replace(NAMED, '')) ||
    NUMBERS.test(typed.replace(NAMED, '').replace(TICKET, ''));
  return isTime ? { refused: true, meant: meantBy(lower) } : { words: true };
}

/** The day that a text in another notation stands for; `undefined` where there is doubt. */
function meantBy(text: string): string | undefined {
  const iso = /(?<!\d)(\d{4})\s*[-./ ]\s*(\d{1,2})\s*[-./ ]\s*(\d{1,2})(?!\d)/.exec(text);
  if (iso) return dayOf(iso[1], iso[2], iso[3]);
  const compact = /(?<!\d)(\d{4})(\d\d)(\d\d)(?!\d)/.exec(text);
  if (compact) return dayOf(compact[1], compact[2], compact[3]);
  const parts = /(?<!\d)(\d{1,2})\s*([-./])\s*(\d{1,2})\s*[-./]\s*(\d{4})(?!\d)/.exec(text);
  if (parts)
    return dayOfParts(parts[1] as string, parts[2] as string, parts[3] as string, parts[4] as string);
  const [name = ''] = new RegExp(MONTH, 'u').exec(text) ?? [];
  const month = MONTHS.findIndex((names) => new RegExp(`^(?:${names})$`, 'u').test(name)) + 1;
  const [, year] = /(?<!\d)(\d{4})(?!\d)/.exec(text) ?? [];
  const [, day] = /(?<!\d)(\d{1,2})(?!\d)/.exec(text) ?? [];
  return month === 0 ? undefined : dayOf(year, String(month), day);
}

/**
 * The day of a date such as `31.3.2026`. With dots the day comes first. With other separators, a number above
 * 12 must be the day; `undefined` where neither is.
 */
function dayOfParts(first: string, sign: string, second: string, year: string): string | undefined {
  if (sign === '.' || Number(first) > 12 || first === second) return dayOf(year, second, first);
  return Number(second) > 12 ? dayOf(year, first, second) : undefined;
}

/** The day as `YYYY-MM-DD`; `undefined` when a part is missing or no such day exists. */
function dayOf(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): string | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return dayKey(written);
}
