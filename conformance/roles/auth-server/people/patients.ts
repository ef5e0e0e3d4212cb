/** The people of a run: patients of the kit's EHR server with own phones and traceable properties. */
import { personas } from '#mis-fixtures/personas.ts';
import type { Patient } from '#protocol/wire/fields.ts';

/** Prefixes shared by all patients' properties, with their meaning; the observer searches for them. */
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

/** The number of patients in the EHR server of a run. */
export const PATIENT_COUNT = 1_000;
