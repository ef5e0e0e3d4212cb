/** The people of a run: each has a phone of their own and is a patient of the reference EHR, with properties that are found wherever they go. */
import { personas } from '#mis-fixtures/personas.ts';
import type { Patient } from '#protocol/fields.ts';

/** Beginnings that every patient's properties share, and what they are: the observer looks for these. */
export const patientStems: ReadonlyMap<string, string> = new Map([
  ['Quokkabergström', 'the surname'],
  ['Zanzibarina', 'the given name'],
  ['48601777', "the patient's phone"],
  ['1931-07-', 'the date of birth'],
  ['WOMBAT-CARD-', 'the medical card number'],
]);

/** The patient number `index`, counted from 0, up to a thousand. */
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

/** How many patients the reference EHR holds in a run. */
export const PATIENTS = 1_000;
