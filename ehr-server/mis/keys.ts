/** The one place where a patient record becomes the keys it is matched by. */
import type { Patient } from '#protocol/wire/fields.ts';
import { cardKey, dayKey, nameKey, phoneKey } from '#protocol/wire/matching.ts';

/** The keys of a patient record. The record fits a query when every member of the query is equal. */
export type PatientKeys = {
  surname: string;
  name: string;
  day: string;
  gender: number;
  /** One key for each different phone. Empty: the record has no usable phone. */
  phones: string[];
  card: string | undefined;
};

/**
 * Compute the keys of a patient record.
 * @param keys key functions with a cache, for bulk work
 * @throws {TypeError} when the birthdate is no day of the calendar; the patient could silently never be
 *   matched
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
