/**
 * The tables of the PostgreSQL store, and their upgrade, even if several instances start at once. They hold the
 * same data as those of SQLite, with texts compared byte by byte as in SQLite. A session names its user here, not
 * its link (decision note 25).
 */
import pg from 'pg';
import { failedToConnect } from './connection.ts';
import { connectionConfig } from './pool.ts';

/** The numbers of the advisory locks: any numbers that nothing else in the database uses. */
export const ADVISORY = {
  schema: 7_301_001,
  misSchema: 7_301_002,
  audit: 7_301_003,
  purge: 7_301_004,
  purgeAudit: 7_301_005,
  purgeFailures: 7_301_006,
} as const;

const TEXT = 'text COLLATE "C"';

/** One step for each version, never edited once released. The table `ehr_schema` counts those taken. */
export const steps: readonly string[] = [
  `
  CREATE TABLE sessions (
    token_hash bytea PRIMARY KEY,
    record_id ${TEXT} NOT NULL,
    user_id ${TEXT} NOT NULL,           -- empty once ended: the session's data is deleted, its token stays spent
    stored_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    created text,
    recorded boolean NOT NULL,          -- false while only authenticate has stored it
    ended boolean NOT NULL DEFAULT false
  );
  CREATE INDEX sessions_by_user ON sessions (user_id) WHERE NOT ended;
  CREATE INDEX sessions_by_expiry ON sessions (expires_at);

  CREATE TABLE exchange_tokens (
    hash bytea PRIMARY KEY,
    record_id ${TEXT} NOT NULL,
    user_id ${TEXT} NOT NULL,
    session_hash bytea NOT NULL,
    session_lifetime bigint NOT NULL,
    session_created text,
    expires_at bigint NOT NULL,
    failures integer NOT NULL DEFAULT 0,
    used boolean NOT NULL DEFAULT false
  );
  CREATE INDEX exchange_tokens_by_expiry ON exchange_tokens (expires_at);

  CREATE TABLE links (
    user_id ${TEXT} PRIMARY KEY,
    patient_id ${TEXT} NOT NULL UNIQUE,
    user_sign ${TEXT} NOT NULL
  );

  CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    action text NOT NULL,
    user_id ${TEXT} NOT NULL,
    patient_id ${TEXT},
    outcome text NOT NULL
  );
  -- Entries may be deleted once they are older than this, and never changed.
  CREATE TABLE audit_horizon (before bigint NOT NULL);
  INSERT INTO audit_horizon (before) VALUES (0);
  CREATE FUNCTION audit_is_never_changed() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'audit entries are never changed'; END $$;
  CREATE FUNCTION audit_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.at >= (SELECT before FROM audit_horizon) THEN
        RAISE EXCEPTION 'audit entries are kept until their retention is over';
      END IF;
      RETURN OLD;
    END $$;
  CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
    FOR EACH ROW EXECUTE FUNCTION audit_is_never_changed();
  CREATE TRIGGER audit_is_never_emptied BEFORE TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_never_changed();
  CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_kept();
  `,
  `
  ALTER TABLE exchange_tokens ADD COLUMN seq bigint GENERATED ALWAYS AS IDENTITY;
  CREATE INDEX exchange_tokens_by_session ON exchange_tokens (user_id, session_hash, seq);

  CREATE TABLE failed_matches (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id ${TEXT} NOT NULL,
    phone bytea,                        -- keyed hash of the phone that was sent; null when none was
    at bigint NOT NULL
  );
  CREATE INDEX failed_matches_by_user ON failed_matches (user_id, at);
  CREATE INDEX failed_matches_by_phone ON failed_matches (phone, at);
  `,
];

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
  if (!(await hasTable(client, 'ehr_schema'))) return 0;
  const version =
    (await client.query<{ version: number }>('SELECT version FROM ehr_schema')).rows[0]?.version ?? 0;
  if (version <= steps.length) return version;
  throw new Error(
    `it was written by a newer version of this program (schema ${version}, known is ${steps.length}), so please update`,
  );
}

/**
 * Whether there is a table of this name. It is looked up as a row: `to_regclass` may answer from what this
 * connection knew before it waited for a lock.
 */
export async function hasTable(client: Pick<pg.ClientBase, 'query'>, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT 1 FROM pg_tables WHERE schemaname = ANY (current_schemas(false)) AND tablename = $1',
    [name],
  );
  return rowCount !== 0;
}
