/** The patients of the kit's EHR server, with properties that are easy to find where they leak. */
import { personas } from '#mis-fixtures/personas.ts';
import type { Patient } from '#protocol/wire/fields.ts';

/** The beginnings of all properties of patients, and what they are: checks search for them. */
export const patientStems: ReadonlyMap<string, string> = new Map([
  ['Quokkabergström', 'the surname'],
  ['Zanzibarina', 'the given name'],
  ['48601777', "the patient's phone"],
  ['1931-07-', 'the date of birth'],
  ['WOMBAT-CARD-', 'the medical card number'],
]);

export function patientNumber(index: number): Patient {
  const number = String(index).padStart(3, '0');
  return {
    ...personas.anna.patients[0],
    id: `p-${number}`,
    surname: `Quokkabergström-${number}`,
    name: `Zanzibarina-${number}`,
    phones: [`48601777${number}`],
    birthdate: `1931-07-${String((index % 28) + 1).padStart(2, '0')}`,
    medcardNumber: `WOMBAT-CARD-${number}`,
  };
}

export const PATIENT_COUNT = 1_000;
