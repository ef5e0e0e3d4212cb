/** The one place where a patient record becomes the keys it is matched by, and the rows that are stored for it. */
import type { Patient } from '#protocol/wire/fields.ts';
import { cardKey, dayKey, nameKey, phoneKey } from '#protocol/wire/matching.ts';
import { canMatch } from './mis.ts';

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

export type Value = string | number;

/** The columns of each table, in the order in which {@link patientRows} gives their values. */
export const MIS_COLUMNS = {
  patient: ['id', 'record'],
  patient_match: ['birthdate', 'surname_key', 'name_key', 'phone_key', 'gender', 'patient_id'],
  patient_card: ['card_key', 'phone_key', 'patient_id'],
} as const;

export type MisTable = keyof typeof MIS_COLUMNS;

/**
 * Pass each row of a patient to `put`. An inactive or deceased patient is stored without match rows.
 * @param keys key functions with a cache, for bulk work
 * @throws {TypeError} when the birthdate is no day of the calendar
 */
export function patientRows(
  patient: Patient,
  put: (table: MisTable, row: readonly Value[]) => void,
  keys?: Parameters<typeof keysOf>[1],
): void {
  const { surname, name, day, gender, phones, card } = keysOf(patient, keys);
  put('patient', [patient.id, JSON.stringify(patient)]);
  if (!canMatch(patient)) return;
  // A patient without a phone can be found by the day, if the server does not require a phone.
  for (const phone of phones.length > 0 ? phones : ['']) {
    put('patient_match', [day, surname, name, phone, gender, patient.id]);
  }
  if (card === undefined) return;
  for (const phone of phones) put('patient_card', [card, phone, patient.id]);
}

const MAX_REMEMBERED_KEYS = 50_000;

/**
 * Add a cache to a key function. Names and days repeat, and computing a key costs as much as storing its row.
 */
export function remember<Key>(keyOf: (text: string) => Key): (text: string) => Key {
  const known = new Map<string, Key>();
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const key = keyOf(text);
    if (known.size < MAX_REMEMBERED_KEYS) known.set(text, key);
    return key;
  };
}
