/** Counts points in PostgreSQL for processes that share it: an address has one limit over all of them. */
import type { Pool, QueryConfig } from 'pg';
import RateLimiterPostgres from 'rate-limiter-flexible/lib/RateLimiterPostgres.js';
import type { Clock } from '#protocol/time/clock.ts';
import { type Count, countInMemory } from '#service/http/limits/limit.ts';
import type { Log } from '#service/process/log.ts';
import { openPool } from '../store/postgres/pool.ts';

export type SharedCounters = { count: Count; close(): Promise<void> };

export type SharedOptions = {
  /** The address of the database, `postgres://…`. */
  database: string;
  clock: Clock;
  log: Log;
  /** How long the database may take to count, before this process counts alone. */
  countTimeoutMs?: number;
};

const TABLE = 'ehr_rate_limits';
const MAX_CONNECTIONS = 4;
/** After a failure this process counts alone for this long. */
const PAUSE_AFTER_FAILURE_MS = 5_000;
const PURGE_INTERVAL_MS = 60_000;

/**
 * Create the table and open separate connections, so that a flood never takes those of the store. While the
 * database is unavailable, each process counts for itself.
 * @throws Error when the table cannot be created
 */
export async function openSharedCounters({
  database,
  clock,
  log,
  countTimeoutMs = 500,
}: SharedOptions): Promise<SharedCounters> {
  const applicationName = 'ehr-rate-limits';
  // A start may take longer than a count.
  const starting = openPool(database, 1, { applicationName });
  await createTable(starting)
    .catch((cause: unknown) => {
      throw new Error(
        `Failed to prepare the table ${TABLE} of the rate limits: ${(cause as Error).message}`,
        { cause },
      );
    })
    .finally(() => starting.end());
  const pool = openPool(database, MAX_CONNECTIONS, { timeoutMs: countTimeoutMs, applicationName });
  const client = cautious(pool, clock, log);
  const stopPurge = purgeEachMinute(client, clock);
  return {
    count: (counted) =>
      new RateLimiterPostgres({
        storeClient: client,
        storeType: 'pool',
        tableName: TABLE,
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: counted.name,
        points: counted.points,
        duration: counted.durationSeconds,
        // A key that has used up its window costs no query until the window ends.
        inMemoryBlockOnConsumed: counted.points,
        insuranceLimiter: countInMemory(counted),
      }),
    async close() {
      stopPurge();
      await pool.end();
    },
  };
}

type Client = { query(query: QueryConfig): Promise<{ rowCount: number | null }> };

/** Create a client that fails at once for a while after a failure, so that no caller waits in vain. */
function cautious(pool: Pool, clock: Clock, log: Log): Client {
  let failedAt: number | undefined;
  return {
    async query(query) {
      if (failedAt !== undefined && Math.abs(clock.now() - failedAt) < PAUSE_AFTER_FAILURE_MS)
        throw new Error('The database is away.');
      try {
        // The database may have lost the table in the meantime.
        if (failedAt !== undefined) await createTable(pool);
        const result = await pool.query(query);
        if (failedAt !== undefined) log.info('requests are counted for all processes together again');
        failedAt = undefined;
        return result;
      } catch (err) {
        failedAt = clock.now();
        log.error(
          { err },
          'requests are counted for this process alone: the database of the rate limits failed',
        );
        throw err;
      }
    },
  };
}

/** Create the table. It is unlogged: after a database crash, counting starts again. */
async function createTable(pool: Pool): Promise<void> {
  try {
    await pool.query(
      `CREATE UNLOGGED TABLE IF NOT EXISTS ${TABLE} (key varchar(255) PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint)`,
    );
  } catch (error) {
    // Another process created the table in the same moment.
    if (!['23505', '42P07', '42710'].includes(String((error as { code?: unknown }).code))) throw error;
  }
}

/**
 * Delete windows that ended a minute ago, so that a flood of addresses leaves nothing behind.
 * @returns stops it
 */
function purgeEachMinute(client: Client, clock: Clock): () => void {
  const text = `DELETE FROM ${TABLE} WHERE expire < extract(epoch FROM now()) * 1000 - ${PURGE_INTERVAL_MS}`;
  let cancel: () => void = () => undefined;
  let stopped = false;
  const arm = () => {
    // The client logs a failure, and the next minute brings another try.
    if (!stopped) cancel = clock.after(PURGE_INTERVAL_MS, () => void client.query({ text }).then(arm, arm));
  };
  arm();
  return () => {
    stopped = true;
    cancel();
  };
}
