/** A MIS in memory for tests and the harness, with the tables and searches of the real one. */
import type { Patient } from '#protocol/fields.ts';
import { openSqlite } from '#service/sqlite.ts';
import { patientInserter } from './insert.ts';
import type { LocalMis } from './mis.ts';
import { prepareMisSchema } from './schema.ts';
import { openSqliteMis } from './sqlite.ts';

export function inMemoryMis(patients: Iterable<Patient>): LocalMis {
  const db = openSqlite(':memory:');
  prepareMisSchema(db);
  const insert = patientInserter(db);
  for (const patient of patients) insert(patient);
  return openSqliteMis(db);
}
