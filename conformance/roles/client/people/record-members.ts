/** Compares the record that a client shows with the record that the EHR server gave, member by member. */
import { isObject } from '#protocol/wire/envelope.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { markedRecord, sparseRecord } from './odd-records.ts';
import { changedRecord, type PersonName, people } from './people.ts';

const TEXTS = ['name', 'surname', 'middleName', 'email', 'address', 'medcardNumber'] as const;

/** The first member shown with another value. Of a page the date of birth alone can be told. */
export function alteredMember(shown: unknown, served: PersonName | undefined): string | undefined {
  if (served === undefined) return undefined;
  if (!isObject(shown)) return dayIn(shown, people[served].patient);
  // Old or new is judged by another check.
  return unlessIn(versionsOf(served).map((record) => alteredIn(shown, record)));
}

const unlessIn = (members: readonly (string | undefined)[]): string | undefined =>
  members.includes(undefined) ? undefined : members[0];

const versionsOf = (person: PersonName): readonly Patient[] =>
  person === 'darya'
    ? [people.darya.patient, changedRecord, markedRecord, sparseRecord]
    : [people[person].patient];

function alteredIn(shown: Record<string, unknown>, record: Patient): string | undefined {
  const text = TEXTS.find(
    (member) => typeof shown[member] === 'string' && isOther(shown[member], record[member]),
  );
  if (text !== undefined) return text;
  if (typeof shown.gender === 'number' && shown.gender !== record.gender) return 'gender';
  const day = /^\d{4}-\d\d-\d\d/.exec(String(shown.birthdate))?.[0];
  return day !== undefined && day !== String(record.birthdate).slice(0, 10) ? 'birthdate' : undefined;
}

const DAY_MS = 86_400_000;

/** `birthdate` where a text has the day before or after the date of birth, and not the day itself. */
function dayIn(shown: unknown, { birthdate }: Patient): string | undefined {
  const at = Date.parse(String(birthdate));
  if (typeof shown !== 'string' || Number.isNaN(at)) return undefined;
  const has = (day: number) => datesOf(day).some((date) => shown.includes(date));
  return !has(at) && (has(at - DAY_MS) || has(at + DAY_MS)) ? 'birthdate' : undefined;
}

function datesOf(at: number): readonly string[] {
  const iso = new Date(at).toISOString().slice(0, 10);
  const [year, month, day] = iso.split('-').map(Number);
  return [iso, `${iso.slice(8)}.${iso.slice(5, 7)}.${year}`, `${month}/${day}/${year}`];
}

/** A part of the recorded text, such as the last digits of a number behind dots, is no other one. */
function isOther(shown: unknown, recorded: unknown): boolean {
  let rest = folded(recorded);
  return (folded(shown).match(/[\p{L}\p{N}]+/gu) ?? []).some((part) => {
    const at = rest.indexOf(part);
    rest = rest.slice(at + part.length);
    return at < 0;
  });
}

/** A text without the differences that do not count: case, blanks, signs without a shape, form of Unicode. */
const folded = (value: unknown): string =>
  String(value ?? '')
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .toLowerCase();
