/** Deletes expired rows from PostgreSQL, in batches and by one instance at a time. */
import type { Query, Statement } from './connection.ts';
import { ADVISORY } from './schema.ts';

const tryLock = (name: string, key: number): Statement => ({
  name: `purge_lock_${name}`,
  text: `SELECT pg_try_advisory_xact_lock(${key}) AS is_ours`,
});

/** Rows that another call has locked are left for the next batch. */
const deleteFrom = (table: string, key: string): Statement => ({
  name: `purge_${table}`,
  text: `WITH gone AS (
      DELETE FROM ${table} WHERE ${key} IN (
        SELECT ${key} FROM ${table} WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
      ) RETURNING 1
    ) SELECT count(*) AS gone FROM gone`,
});

const ROWS = {
  lock: tryLock('rows', ADVISORY.purge),
  from: [deleteFrom('sessions', 'token_hash'), deleteFrom('exchange_tokens', 'hash')],
};
const FAILURES = {
  lock: tryLock('failures', ADVISORY.purgeFailures),
  delete: {
    name: 'purge_failures',
    text: `WITH gone AS (
      DELETE FROM failed_matches WHERE id IN (SELECT id FROM failed_matches ORDER BY id LIMIT $2) AND at < $1 RETURNING 1
    ) SELECT count(*) AS gone FROM gone`,
  },
} satisfies Record<string, Statement>;
const AUDIT = {
  lock: tryLock('audit', ADVISORY.purgeAudit),
  horizon: { name: 'purge_horizon', text: 'UPDATE audit_horizon SET before = $1 WHERE before < $1' },
  delete: {
    name: 'purge_audit',
    text: `WITH gone AS (
      DELETE FROM audit WHERE id IN (SELECT id FROM audit ORDER BY id LIMIT $2) AND at < $1 RETURNING 1
    ) SELECT count(*) AS gone FROM gone`,
  },
} satisfies Record<string, Statement>;

/** Delete at most `limit` sessions and `limit` exchange tokens. Run it in a transaction. */
export async function purge(query: Query, before: number, limit: number): Promise<number> {
  if (!(await isOurs(query, ROWS.lock))) return 0;
  let total = 0;
  for (const statement of ROWS.from) total += await gone(query, statement, before, limit);
  return total;
}

/** Delete failed matches, oldest first. Run it in a transaction. */
export async function purgeFailures(query: Query, before: number, limit: number): Promise<number> {
  if (!(await isOurs(query, FAILURES.lock))) return 0;
  return gone(query, FAILURES.delete, before, limit);
}

/** Delete audit entries, oldest first. Run it in a transaction. */
export async function purgeAudit(query: Query, before: number, limit: number): Promise<number> {
  if (!(await isOurs(query, AUDIT.lock))) return 0;
  await query(AUDIT.horizon, [before]);
  return gone(query, AUDIT.delete, before, limit);
}

async function isOurs(query: Query, lock: Statement): Promise<boolean> {
  const [row] = await query<{ is_ours: boolean }>(lock, []);
  return row?.is_ours === true;
}

async function gone(query: Query, statement: Statement, before: number, limit: number): Promise<number> {
  const [row] = await query<{ gone: number }>(statement, [before, limit]);
  return row?.gone ?? 0;
}
