/** Deletes expired rows from PostgreSQL, in batches and by one instance at a time. */
import type { Query, Statement } from './connection.ts';
import { ADVISORY } from './schema.ts';

/** Rows that are deleted together: the lock of who deletes them, what is noted before, and the deletions. */
type PurgedRows = { lock: Statement; note?: Statement; deletions: readonly Statement[] };

const tryLock = (name: string, key: number): Statement => ({
  name: `purge_lock_${name}`,
  text: `SELECT pg_try_advisory_xact_lock(${key}) AS is_ours`,
});

const deletion = (table: string, condition: string): Statement => ({
  name: `purge_${table}`,
  text: `WITH gone AS (DELETE FROM ${table} WHERE ${condition} RETURNING 1) SELECT count(*) AS gone FROM gone`,
});

/** Rows that another call has locked are left for the next batch. */
const deletionOfExpired = (table: string, key: string): Statement =>
  deletion(
    table,
    `${key} IN (
      SELECT ${key} FROM ${table} WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
    )`,
  );

const deletionOfOldest = (table: string): Statement =>
  deletion(table, `id IN (SELECT id FROM ${table} ORDER BY id LIMIT $2) AND at < $1`);

const EXPIRED: PurgedRows = {
  lock: tryLock('rows', ADVISORY.purge),
  deletions: [deletionOfExpired('sessions', 'token_hash'), deletionOfExpired('exchange_tokens', 'hash')],
};
const FAILURES: PurgedRows = {
  lock: tryLock('failures', ADVISORY.purgeFailures),
  deletions: [deletionOfOldest('failed_matches')],
};
const AUDIT: PurgedRows = {
  lock: tryLock('audit', ADVISORY.purgeAudit),
  note: { name: 'purge_horizon', text: 'UPDATE audit_horizon SET before = $1 WHERE before < $1' },
  deletions: [deletionOfOldest('audit')],
};

/** Deletes at most `limit` rows of each table. Run it in a transaction. */
type PurgeRows = (query: Query, before: number, limit: number) => Promise<number>;

const purgeOf =
  ({ lock, note, deletions }: PurgedRows): PurgeRows =>
  async (query, before, limit) => {
    const [locked] = await query<{ is_ours: boolean }>(lock, []);
    if (!locked?.is_ours) return 0;
    if (note) await query(note, [before]);
    let total = 0;
    for (const statement of deletions) {
      const [row] = await query<{ gone: number }>(statement, [before, limit]);
      total += row?.gone ?? 0;
    }
    return total;
  };

/** Deletes sessions and exchange tokens. */
export const purge = purgeOf(EXPIRED);

export const purgeFailures = purgeOf(FAILURES);

export const purgeAudit = purgeOf(AUDIT);
