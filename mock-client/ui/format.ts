/** Formats the values of a record for a reader. */
import type { Attribute } from '../flow/state.ts';
import { type Language, locales } from '../texts/texts.ts';

/**
 * Formats the calendar day of an ISO date or date-time in its long form, unaffected by time zones.
 * @example showDay('1985-04-12T00:00:00.000Z', 'en') // '12 April 1985'
 */
export function showDay(day: string, language: Language): string {
  const [year, month, date] = day.slice(0, 10).split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return day;
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, date);
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(time);
}

/** Groups the digits of a phone number. @example showPhone('79990000001') // '+7 999 000-00-01' */
export function showPhone(digits: string): string {
  const russian = /^7(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(digits);
  if (russian) return `+7 ${russian[1]} ${russian[2]}-${russian[3]}-${russian[4]}`;
  return digits.length > 10 ? `+${digits}` : digits;
}

export function showAttribute({ kind, value }: Attribute): string {
  return kind === 'phone' ? showPhone(value) : value;
}

/** A session's lifetime in the largest unit that fits. @example showTtl(1440, 'minutes', 'en') // '1 day' */
export function showTtl(ttl: number, unit: 'minutes' | 'seconds', language: Language): string {
  const seconds = unit === 'minutes' ? ttl * 60 : ttl;
  const [size, name] = UNITS.find(([size]) => seconds >= size && seconds % size === 0) ?? [1, 'second'];
  const style = { style: 'unit', unit: name, unitDisplay: 'long', useGrouping: false } as const;
  return new Intl.NumberFormat(locales[language], style).format(seconds / size);
}

/** Capitalises a text for a heading: the wire carries words such as a relation in lower case. */
export function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** Returns the first letters of the names. */
export function initials(...names: string[]): string {
  return names.map((name) => [...name.trim()][0] ?? '').join('');
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;
