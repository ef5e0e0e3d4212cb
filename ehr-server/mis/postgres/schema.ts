/**
 * The tables of the population in PostgreSQL: those of SQLite, with texts compared byte by byte as in SQLite.
 */

import { MIS_COLUMNS, type MisTable } from '../rows.ts';
import { MIS_SCHEMA_VERSION } from '../schema.ts';

const TEXT = 'text COLLATE "C" NOT NULL';
const TYPES: Readonly<Record<string, string>> = { gender: 'smallint NOT NULL', record: 'text NOT NULL' };

/** SQL that creates the empty tables. `nameOf` gives other names for a population built beside one in use. */
export function createTablesSql(nameOf: (table: string) => string = (table) => table): string {
  const tables = Object.entries(MIS_COLUMNS).map(
    ([table, columns]) =>
      `CREATE TABLE ${nameOf(table)} (${columns.map((column) => `${column} ${TYPES[column] ?? TEXT}`).join(', ')});`,
  );
  const meta = nameOf('mis_meta');
  return [
    `CREATE TABLE ${meta} (name text PRIMARY KEY, value text NOT NULL);`,
    `INSERT INTO ${meta} VALUES ('schema_version', '${MIS_SCHEMA_VERSION}');`,
    ...tables,
  ].join('\n');
}

/** SQL that creates the keys and indexes, which are cheaper to build after the rows. */
export function createIndexesSql(nameOf: (table: string) => string = (table) => table): string {
  const keys: Readonly<Record<MisTable, readonly string[]>> = {
    patient: ['id'],
    patient_match: MIS_COLUMNS.patient_match,
    patient_card: MIS_COLUMNS.patient_card,
  };
  const primary = Object.entries(keys).map(
    ([table, columns]) => `ALTER TABLE ${nameOf(table)} ADD PRIMARY KEY (${columns.join(', ')});`,
  );
  const byPhone = `CREATE INDEX ON ${nameOf('patient_match')} (phone_key, birthdate, surname_key, name_key, gender, patient_id);`;
  return [...primary, byPhone].join('\n');
}
