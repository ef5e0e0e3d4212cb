/** Writing patients into the SQLite population. */
import type { Database, Statement } from 'better-sqlite3';
import type { Patient } from '#protocol/fields.ts';
import { dayKey, nameKey } from '#protocol/matching.ts';
import { keysOf } from './keys.ts';
import { canMatch } from './mis.ts';

/** `flush` must be called after the last patient; what fails may be an earlier patient than the one handed in. */
export type BulkInserter = { insert(patient: Patient): void; flush(): void };

/**
 * Prepares the insertion of patient records with the rows they are matched by. A patient who is inactive or deceased is
 * stored, and gets no match rows.
 * @throws {Error} from the returned function: SQLite's own when the id is stored already, a TypeError when the
 *   birthdate is no day
 * @example
 * prepareMisSchema(database);
 * const insert = patientInserter(database);
 * insert(anna);
 */
export function patientInserter(database: Database): (patient: Patient) => void {
  return createInserter(database, 1).insert;
}

/** The same for many patients, several rows to a statement. Call it inside a transaction. */
export function bulkPatientInserter(database: Database): BulkInserter {
  return createInserter(database, 30);
}

function createInserter(database: Database, rowsAtATime: number): BulkInserter {
  const records = new RowWriter(database, 'patient', ['id', 'record'], rowsAtATime);
  const matchColumns = ['birthdate', 'surname_key', 'name_key', 'phone_key', 'gender', 'patient_id'];
  const matches = new RowWriter(database, 'patient_match', matchColumns, rowsAtATime);
  const cards = new RowWriter(database, 'patient_card', ['card_key', 'phone_key', 'patient_id'], rowsAtATime);
  const remembering = { nameKey: remember(nameKey), dayKey: remember(dayKey) };
  return {
    insert(patient) {
      const keys = keysOf(patient, remembering);
      records.add([patient.id, JSON.stringify(patient)]);
      if (!canMatch(patient)) return;
      // Without a phone the patient can still be found by the day, where the server does not require a phone.
      for (const phone of keys.phones.length > 0 ? keys.phones : ['']) {
        matches.add([keys.day, keys.surname, keys.name, phone, keys.gender, patient.id]);
      }
      if (keys.card === undefined) return;
      for (const phone of keys.phones) cards.add([keys.card, phone, patient.id]);
    },
    flush() {
      for (const writer of [records, matches, cards]) writer.flush();
    },
  };
}

type Value = string | number;

/** Collects rows and inserts them several to a statement, which saves about a seventh of the time. */
class RowWriter {
  readonly #insertOne: Statement<[Value[]]>;
  readonly #insertMany: Statement<[Value[]]>;
  readonly #width: number;
  readonly #values: Value[];
  #filled = 0;

  constructor(database: Database, table: string, columns: readonly string[], rows: number) {
    const row = `(${columns.map(() => '?').join(', ')})`;
    const head = `INSERT INTO ${table} (${columns.join(', ')}) VALUES `;
    this.#insertOne = database.prepare<[Value[]]>(head + row);
    this.#insertMany = database.prepare<[Value[]]>(head + Array<string>(rows).fill(row).join(', '));
    this.#width = columns.length;
    this.#values = Array<Value>(rows * columns.length).fill('');
  }

  add(row: readonly Value[]): void {
    for (const value of row) this.#values[this.#filled++] = value;
    if (this.#filled < this.#values.length) return;
    this.#filled = 0;
    this.#insertMany.run(this.#values);
  }

  flush(): void {
    const end = this.#filled;
    this.#filled = 0;
    for (let at = 0; at < end; at += this.#width) this.#insertOne.run(this.#values.slice(at, at + this.#width));
  }
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
