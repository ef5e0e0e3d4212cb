/** Compares the record that a client shows with the record that the EHR server gave, member by member. */
import { isObject } from '#protocol/wire/envelope.ts';
import { changedRecord, type PersonName, people } from './people.ts';

/** Members that are texts, which a client shows as they are. */
const TEXTS = ['name', 'surname', 'middleName', 'email', 'address', 'medcardNumber'] as const;

/**
 * The name of the first member that is shown with another value than the record has. Undefined: no member is
 * wrong, or the client shows no object. Case and blanks do not count, and a client may leave a member out.
 * @param shown the record as the client shows it
 * @param served the person whose record the EHR server gave last; undefined: it gave none
 */
export function alteredMember(shown: unknown, served: PersonName | undefined): string | undefined {
  if (!isObject(shown) || served === undefined) return undefined;
  const { patient } = people[served];
  // A scenario may have changed the record of Darya. Old or new is judged by another check.
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

/** Whether a shown text differs from the recorded one. Nothing shown is no difference. */
const isOther = (shown: unknown, recorded: unknown): boolean =>
  folded(shown) !== '' && folded(shown) !== folded(recorded);

/** A text without the differences that do not count: case, blanks, form of Unicode. */
const folded = (value: unknown): string =>
  String(value ?? '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
