/**
 * Reads until when a known failure is accepted: a day, or words for people such as `release 5`. A day in
 * another notation must never pass for words: the entry would hold for ever.
 */
import { dayKey } from '#protocol/wire/matching.ts';

/** The last day (`YYYY-MM-DD`); nothing for words; or a time that is no day, and the day that is meant. */
export type Until = { day: string } | { words: true } | { refused: true; meant: string | undefined };

/** Names of months in English, German and Russian. */
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
const MONTH = `(?<![\\p{L}\\d])(?:${MONTHS.join('|')})(?!\\p{L})`;

/** Numbers that name a thing: they are no part of a time. */
const NAMED =
  /(?:release|version|build|sprint|milestone|ticket|issue|релиз\p{L}*|верси\p{L}*)[\s#:.-]*v?\d[\w.-]*|#\d+|\bv\d[\w.-]*/giu;
const TICKET = /\b[A-Z]{2,}[A-Z0-9]*-\d+/g;

/** Times of which no number tells that they are one. */
const TIMES: readonly RegExp[] = [
  /^(?:today|tomorrow|tonight)\b/,
  /\b(?:next|this|end of(?: the)?) (?:week|month|quarter|year)\b/,
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/,
  /\b(?:\d+|one|two|three|a) (?:day|week|month|quarter|year)s?\b/,
  /\b(?:q[1-4]|[1-4]q|kw ?\d+|week \d+|w\d\d)\b/,
  new RegExp(`^(?:(?:the |mid-?|end |start |beginning |of )*)${MONTH}\\.?$`, 'u'),
];

/** A year, a day and a month, or a day without any sign between its parts. */
const NUMBERS =
  /(?<![\d.])(?:19|20|21)\d\d(?!\d)|(?<!\d)\d{1,2}\s*[./-]\s*\d{1,2}(?!\d)|(?<!\d)(?:\d{6}|\d{8})(?!\d)/;

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

/** The day that a text means, where there is no doubt. */
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

/** With dots the day comes first. With other signs only a number above 12 tells which one it is. */
function dayOfParts(first: string, sign: string, second: string, year: string): string | undefined {
  if (sign === '.' || Number(first) > 12 || first === second) return dayOf(year, second, first);
  return Number(second) > 12 ? dayOf(year, first, second) : undefined;
}

function dayOf(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): string | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return dayKey(written);
}
