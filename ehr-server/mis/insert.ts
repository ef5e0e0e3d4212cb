/** Writing patients into the SQLite population. */
import type { Database } from 'better-sqlite3';
import type { Patient } from '#protocol/fields.ts';
import { dayKey, nameKey } from '#protocol/matching.ts';
import { keysOf } from './keys.ts';
import { canMatch } from './mis.ts';

/**
 * Prepares the insertion of patient records with the rows they are matched by. Call what it returns inside a transaction
 * when there are many. A patient who is inactive or deceased is stored, and gets no match rows.
 * @throws {Error} from the returned function: SQLite's own when the id is stored already, a TypeError when the
 *   birthdate is no day
 * @example
 * prepareMisSchema(database);
 * const insert = patientInserter(database);
 * insert(anna);
 */
export function patientInserter(database: Database): (patient: Patient) => void {
  const insertRecord = database.prepare('INSERT INTO patient (id, record) VALUES (?, ?)');
  const insertMatch = database.prepare(
    'INSERT INTO patient_match (birthdate, surname_key, name_key, phone_key, gender, patient_id) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertCard = database.prepare('INSERT INTO patient_card (card_key, phone_key, patient_id) VALUES (?, ?, ?)');
  const remembering = { nameKey: remember(nameKey), dayKey: remember(dayKey) };
  return (patient) => {
    const keys = keysOf(patient, remembering);
    insertRecord.run(patient.id, JSON.stringify(patient));
    if (!canMatch(patient)) return;
    // Without a phone the patient can still be found by the day, where the server does not require a phone.
    for (const phone of keys.phones.length > 0 ? keys.phones : ['']) {
      insertMatch.run(keys.day, keys.surname, keys.name, phone, keys.gender, patient.id);
    }
    if (keys.card === undefined) return;
    for (const phone of keys.phones) insertCard.run(keys.card, phone, patient.id);
  };
}

const REMEMBERED = 50_000;

/** Names and days repeat, and making a key costs as much as storing its row. */
function remember<Key>(keyOf: (text: string) => Key): (text: string) => Key {
  const known = new Map<string, Key>();
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const key = keyOf(text);
    if (known.size < REMEMBERED) known.set(text, key);
    return key;
  };
}
