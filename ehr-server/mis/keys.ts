/** The one place where a patient record becomes the rows it is matched by. */
import type { Patient } from '#protocol/fields.ts';
import { cardKey, dayKey, nameKey, phoneKey } from '#protocol/matching.ts';

/** What a patient record is compared by; the record fits a query when every member sent is equal. */
export type PatientKeys = {
  surname: string;
  name: string;
  day: string;
  gender: number;
  /** One key for each different phone; none when the record has no usable phone. */
  phones: string[];
  card: string | undefined;
};

/**
 * The keys of a patient record.
 * @param keys for bulk work, key functions that remember
 * @throws {TypeError} when the birthdate is no day of the calendar, which would leave the patient unmatchable in silence
 */
export function keysOf(patient: Patient, keys = { nameKey, dayKey }): PatientKeys {
  const day = keys.dayKey(patient.birthdate);
  if (day === undefined)
    throw new TypeError('Failed to read a patient record: its birthdate is no day of the calendar.');
  const phones = patient.phones.map(phoneKey).filter((key) => key !== undefined);
  return {
    surname: keys.nameKey(patient.surname),
    name: keys.nameKey(patient.name),
    day,
    gender: patient.gender,
    phones: phones.length > 1 ? [...new Set(phones)] : phones,
    card: patient.medcardNumber === null ? undefined : cardKey(patient.medcardNumber),
  };
}
