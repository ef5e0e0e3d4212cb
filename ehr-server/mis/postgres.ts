/** The MIS on PostgreSQL: the searches of SQLite as prepared statements, for any number of processes. */
import type { Pool, PoolClient } from 'pg';
import type { Patient } from '#protocol/wire/fields.ts';
import { withoutSecrets } from '../database/address.ts';
import { failedToConnect } from '../store/postgres/connection.ts';
import { ADVISORY, hasTable } from '../store/postgres/schema.ts';
import { MIS_COLUMNS, type MisTable } from './keys.ts';
import type { MatchQuery, Mis } from './mis.ts';
import { matchSql, onceForEach } from './query.ts';
import { MIS_SCHEMA_VERSION, noPopulation, requireMisVersion } from './schema.ts';

type Prepared = { name: string; text: string; members: readonly string[] };

/**
 * Open the population on a pool of connections, which is closed with it. Missing tables are created.
 * @throws {Error} when the database cannot be reached, or its population has another schema version
 */
export async function openPostgresMis(pool: Pool, url: string, mustExist = false): Promise<Mis> {
  try {
    await prepareSchema(pool, mustExist ? url : undefined);
  } catch (error) {
    await pool.end();
    throw failedToConnect('the population in', url, error);
  }
  const statementOf = onceForEach(prepare);
  const record = async (patientId: string) => {
    const { rows } = await pool.query<{ record: string }>({ ...READ_RECORD, values: [patientId] });
    return rows[0]?.record;
  };
  return {
    async match(query) {
      const statement = statementOf(query);
      if (!statement) return [];
      const { name, text, members } = statement;
      const values = members.map((member) => (query as Record<string, unknown>)[member]);
      const { rows } = await pool.query<{ patient_id: string }>({ name, text, values });
      return rows.map((row) => row.patient_id);
    },
    async get(patientId) {
      const text = await record(patientId);
      return text === undefined ? undefined : (JSON.parse(text) as Patient);
    },
    record,
    async check() {
      await pool.query('SELECT 1 FROM patient LIMIT 1');
    },
    close: () => pool.end(),
  };
}

const READ_RECORD = { name: 'mis_get', text: 'SELECT record FROM patient WHERE id = $1' };

function prepare(query: MatchQuery, combination: number): Prepared | undefined {
  const members: string[] = [];
  const text = matchSql(query, (member) => `$${members.push(member)}`);
  return text === undefined ? undefined : { name: `mis_match_${combination}`, text, members };
}

/** @param populated the address of the database, if the tables must exist already */
async function prepareSchema(pool: Pool, populated: string | undefined): Promise<void> {
  const client = await pool.connect();
  try {
    if ((await readVersion(client)) === undefined) {
      if (populated !== undefined) throw noPopulation(withoutSecrets(populated));
      await createTables(client);
    }
    requireMisVersion(await readVersion(client));
  } finally {
    client.release();
  }
}

async function createTables(client: PoolClient): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY.misSchema]);
    // Another process may have created them while this one waited for the lock.
    if ((await readVersion(client)) === undefined) {
      await client.query(createTablesSql());
      await client.query(createIndexesSql());
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** The version of the population's tables. Undefined: there are none. */
export async function readVersion(client: Pick<PoolClient, 'query'>): Promise<number | undefined> {
  if (!(await hasTable(client, 'mis_meta'))) return undefined;
  const { rows } = await client.query<{ value: string }>(
    "SELECT value FROM mis_meta WHERE name = 'schema_version'",
  );
  return Number(rows[0]?.value);
}

/** The tables are those of SQLite, with texts compared byte by byte as in SQLite. */
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
