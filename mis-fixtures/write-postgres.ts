/** Puts a population into PostgreSQL: it is built beside the one in use and replaces it when complete. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { MIS_COLUMNS, type MisTable, patientRows, remember } from '#ehr-server/mis/keys.ts';
import { createIndexesSql, createTablesSql, readVersion } from '#ehr-server/mis/postgres.ts';
import { MIS_SCHEMA_VERSION, MIS_TABLES } from '#ehr-server/mis/schema.ts';
import { dayKey, nameKey } from '#protocol/wire/matching.ts';
import { FixturesError, type LoadOptions, originOf, StoppedError } from './load-population.ts';
import { allPersonaPatients } from './personas.ts';
import { type PopulationPlan, population } from './population.ts';

/** Patients whose rows are sent together. */
const PATIENTS_PER_CHUNK = 5_000;

const making = (table: string) => `${table}_in_the_making`;

/**
 * Replaces the population in the database at `url` in one transaction. Until the commit, readers see the old
 * population. Other content of the database is not changed.
 * @param force whether an existing population may be replaced
 * @returns how many patients are stored, personas included
 * @throws {FixturesError} when there is one and `force` is not set, or the database cannot be reached or
 * written
 * @throws {StoppedError} when the signal has fired
 */
export async function writePostgres(
  url: string,
  plan: PopulationPlan,
  { force = false, ...options }: LoadOptions & { force?: boolean | undefined } = {},
): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A broken connection also fails the statement in progress, which reports the error to the caller.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('BEGIN');
    await refuseUnlessReplaceable(client, force);
    const patients = await load(client, plan, options);
    await client.query('COMMIT');
    return patients;
  } catch (cause) {
    if (cause instanceof FixturesError || cause instanceof StoppedError || cause instanceof RangeError)
      throw cause;
    const fact =
      cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : String(cause);
    throw new FixturesError(
      `Failed to write the population to PostgreSQL: ${fact}. Please check the address, the account's rights and the free space.`,
      { cause },
    );
  } finally {
    // Without a COMMIT the server rolls back.
    await client.end();
  }
}

async function refuseUnlessReplaceable(client: pg.Client, force: boolean): Promise<void> {
  const version = await readVersion(client);
  if (version === undefined) return;
  if (version > MIS_SCHEMA_VERSION) {
    throw new FixturesError(
      `Failed to write the population: the one in the database has schema version ${version}, which is newer than this program's ${MIS_SCHEMA_VERSION}. Please use the program that wrote it, or another database.`,
    );
  }
  if (force) return;
  const { rows } = await client.query<{ held: boolean }>('SELECT EXISTS (SELECT 1 FROM patient) AS held');
  if (!rows[0]?.held) return;
  throw new FixturesError(
    'Failed to write the population: the database holds one already. Please add --force to replace it (sessions and links stay), or name another database with --database.',
  );
}

async function load(
  client: pg.Client,
  plan: PopulationPlan,
  { signal, onProgress }: LoadOptions,
): Promise<number> {
  const total = plan.patients + allPersonaPatients.length;
  const report = (phase: 'patients' | 'indexes', done: number) => {
    onProgress?.({ phase, done, total });
    if (signal?.aborted) throw new StoppedError('The run was interrupted.');
  };
  await client.query(createTablesSql(making));
  const remembering = { nameKey: remember(nameKey), dayKey: remember(dayKey) };
  let lines = emptyLines();
  let done = 0;
  for (const patient of population(plan)) {
    patientRows(patient, (table, row) => lines[table].push(copyLine(row)), remembering);
    if (++done % PATIENTS_PER_CHUNK !== 0) continue;
    await send(client, lines);
    lines = emptyLines();
    report('patients', done);
  }
  await send(client, lines);
  report('indexes', total);
  await client.query(createIndexesSql(making));
  for (const [name, value] of originOf(plan)) {
    await client.query(`INSERT INTO ${making('mis_meta')} VALUES ($1, $2)`, [name, value]);
  }
  for (const table of MIS_TABLES) {
    await client.query(`DROP TABLE IF EXISTS ${table}`);
    await client.query(`ALTER TABLE ${making(table)} RENAME TO ${table}`);
    await client.query(`ANALYZE ${table}`);
  }
  report('indexes', total);
  return total;
}

type Lines = Record<MisTable, string[]>;

function emptyLines(): Lines {
  return { patient: [], patient_match: [], patient_card: [] };
}

async function send(client: pg.Client, lines: Lines): Promise<void> {
  for (const [table, rows] of Object.entries(lines) as [MisTable, string[]][]) {
    if (rows.length === 0) continue;
    const copy = client.query(
      copyFrom(`COPY ${making(table)} (${MIS_COLUMNS[table].join(', ')}) FROM STDIN`),
    );
    await pipeline(Readable.from([rows.join('')]), copy);
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Formats a row in the text format of COPY. */
export function copyLine(row: readonly (string | number)[]): string {
  const fields = row.map((value) =>
    String(value).replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] as string),
  );
  return `${fields.join('\t')}\n`;
}
