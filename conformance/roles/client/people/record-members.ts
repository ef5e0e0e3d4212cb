/** Compares the members of a record that a client shows with those that the EHR server gave. */
import { isObject } from '#protocol/wire/envelope.ts';
import { changedRecord, type PersonName, people } from './people.ts';

/** Members whose value a person reads as it stands. */
const TEXTS = ['name', 'surname', 'middleName', 'email', 'address', 'medcardNumber'] as const;

/**
 * The name of a member that is shown with another value than it has. Undefined: there is none, or what is
 * shown is no object. Case and blanks do not count, and a member may be left out.
 * @param served whose record the EHR server gave
 */
export function alteredMember(shown: unknown, served: PersonName | undefined): string | undefined {
  if (!isObject(shown) || served === undefined) return undefined;
  const { patient } = people[served];
  const isChanged = served === 'darya' && folded(shown.surname) === folded(changedRecord.surname);
  const record = isChanged ? changedRecord : patient;
  const text = TEXTS.find(
    (member) => typeof shown[member] === 'string' && isOther(shown[member], record[member]),
  );
  if (text !== undefined) return text;
  if (typeof shown.gender === 'number' && shown.gender !== record.gender) return 'gender';
  const day = /^\d{4}-\d\d-\d\d/.exec(String(shown.birthdate))?.[0];
  return day !== undefined && day !== String(record.birthdate).slice(0, 10) ? 'birthdate' : undefined;
}

const isOther = (shown: unknown, recorded: unknown): boolean =>
  folded(shown) !== '' && folded(shown) !== folded(recorded);

const folded = (value: unknown): string =>
  String(value ?? '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
