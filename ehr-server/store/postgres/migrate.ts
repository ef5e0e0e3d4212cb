/** Creates or upgrades the tables, even if several instances start at once. */
import pg from 'pg';
import { failedToConnect } from './errors.ts';
import { connectionConfig } from './pool.ts';
import { ADVISORY, steps } from './schema.ts';

/** How long an instance waits for the upgrade of another one. */
const LOCK_TIMEOUT_MS = 120_000;

/**
 * Create or upgrade the tables in one transaction, one instance at a time.
 * @throws Error naming the database, what is wrong and the remedy
 */
export async function migrate(url: string, timeoutMs: number): Promise<void> {
  const client = new pg.Client({ ...connectionConfig(url), connectionTimeoutMillis: timeoutMs });
  // The query under way fails anyway. Without a listener, the error would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await upgrade(client);
  } catch (cause) {
    throw failedToConnect('the database', url, cause);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function upgrade(client: pg.Client): Promise<void> {
  const encoding = (await client.query<{ server_encoding: string }>('SHOW server_encoding')).rows[0]
    ?.server_encoding;
  if (encoding !== 'UTF8') throw new Error(`its encoding is ${encoding}, and must be UTF8`);
  // If there is nothing to do, nothing is written: the database user may lack the right to create tables.
  if ((await knownVersion(client)) === steps.length) return;
  await client.query('BEGIN');
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY.schema]);
  // Another instance may have upgraded the tables in the meantime.
  const version = await knownVersion(client);
  for (const step of steps.slice(version)) await client.query(step);
  await client.query('CREATE TABLE IF NOT EXISTS ehr_schema (version integer NOT NULL)');
  await client.query('DELETE FROM ehr_schema');
  await client.query('INSERT INTO ehr_schema (version) VALUES ($1)', [steps.length]);
  await client.query('COMMIT');
}

/** The number of steps that the database has seen. Throws if this program knows fewer. */
async function knownVersion(client: pg.Client): Promise<number> {
  // Read as a table: to_regclass may answer from what this connection knew before it waited for the lock.
  const tables = await client.query(
    "SELECT 1 FROM pg_tables WHERE schemaname = ANY (current_schemas(false)) AND tablename = 'ehr_schema'",
  );
  if (tables.rowCount === 0) return 0;
  const version =
    (await client.query<{ version: number }>('SELECT version FROM ehr_schema')).rows[0]?.version ?? 0;
  if (version <= steps.length) return version;
  throw new Error(
    `it was written by a newer version of this program (schema ${version}, known is ${steps.length}), so please update`,
  );
}
