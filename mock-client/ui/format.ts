/** How values of a record are written for a reader. */
import type { Patient } from '#protocol/fields.ts';
import type { Attribute } from '../flow/state.ts';

/** The words behind the gender codes of decision 24. */
export const GENDER_WORDS: Record<Patient['gender'], string> = { 0: 'Male', 1: 'Female', 2: 'Other', 3: 'Not known' };

/** The words behind the codes of decision 33; an unknown one is not shown. */
export const MARITAL_WORDS: Record<Patient['maritalStatus'], string | null> = {
  0: 'Divorced',
  1: 'Married',
  2: 'Never married',
  3: 'Unmarried',
  4: 'Widowed',
  5: null,
};

/** The calendar day of an ISO date or date-time in its long form. No time zone shifts it. @example showDay('1985-04-12T00:00:00.000Z') // '12 April 1985' */
export function showDay(day: string): string {
  const [year, month, date] = day.slice(0, 10).split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return day;
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, date);
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(time);
}

/** Digits of a phone in groups. @example showPhone('79990000001') // '+7 999 000-00-01' */
export function showPhone(digits: string): string {
  const russian = /^7(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(digits);
  if (russian) return `+7 ${russian[1]} ${russian[2]}-${russian[3]}-${russian[4]}`;
  return digits.length > 10 ? `+${digits}` : digits;
}

export function showAttribute({ kind, value }: Attribute): string {
  return kind === 'phone' ? showPhone(value) : value;
}

/** How long a session lasts, in the largest unit that fits evenly. @example showTtl(1440, 'minutes') // '1 day' */
export function showTtl(ttl: number, unit: 'minutes' | 'seconds'): string {
  const seconds = unit === 'minutes' ? ttl * 60 : ttl;
  for (const [size, name] of UNITS) {
    if (seconds >= size && seconds % size === 0) return plural(seconds / size, name);
  }
  return plural(seconds, 'second');
}

/** `anna` as it begins a heading: the wire carries words such as a relation in lower case. */
export function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** The first letters of a name. */
export function initials(...names: string[]): string {
  return names.map((name) => [...name.trim()][0] ?? '').join('');
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
