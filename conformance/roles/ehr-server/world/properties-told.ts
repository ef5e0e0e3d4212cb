/** Prepares a reply of the EHR server for a search for the properties of patients. */
import type { KnownPerson } from '../settings.ts';
import { jsonIn, membersOf, recordIn } from './answer.ts';

/** A shorter surname or number is not searched for: a record could contain it by chance. */
const MIN_PROPERTY_CHARS = 5;

/** A text without what a server may change where it repeats it: case, accents, signs in a phone. */
export const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}()+.]|(?<=\d) (?=\d)/gu, '')
    .toLowerCase();

/** The properties of a patient that are long enough to be searched for in a reply. */
export function propertiesFound({ surname, date, phone, medCardId }: KnownPerson): string[] {
  return [surname, date, phone, medCardId ?? ''].filter(({ length }) => length >= MIN_PROPERTY_CHARS);
}

/**
 * Removes familyMembers from a reply, because they may name other patients rightly, and counts those of its
 * record.
 */
export function withoutRelatives(text: string): { text: string; relatives: number } {
  const reply = jsonIn(text);
  const rest = JSON.stringify(reply, (name, value) => (name === 'familyMembers' ? undefined : value));
  const { familyMembers } = recordIn(membersOf(reply));
  // `rest` is undefined where the text is no JSON: such a text is searched as it is.
  return { text: rest ?? text, relatives: Array.isArray(familyMembers) ? familyMembers.length : 0 };
}
