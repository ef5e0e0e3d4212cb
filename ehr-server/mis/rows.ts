/** Converts a patient record to the rows that are stored for it, on every engine. */
import type { Patient } from '#protocol/wire/fields.ts';
import { keysOf } from './keys.ts';
import { canMatch } from './mis.ts';

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
