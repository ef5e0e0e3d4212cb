/**
 * Runs statements on the pool, prepared by name, and classifies errors: try again, tell the caller, or drop the
 * connection.
 */
import pg, { type Pool, type PoolClient, type QueryResultRow } from 'pg';
import { type OutageLog, Unavailable } from '#service/process/log.ts';
import { withoutSecrets } from '../../database/address.ts';

/** A statement that each connection prepares once. */
export type Statement = { name: string; text: string };

export type Query = <Row extends QueryResultRow>(
  statement: Statement,
  values: readonly unknown[],
) => Promise<Row[]>;

export type Connection = {
  /** Run one statement as its own transaction. */
  query: Query;
  /**
   * Run `work` in a READ COMMITTED transaction, and again when it conflicts with another. If it resolves, the
   * transaction is committed. If it rejects, the transaction is rolled back or its outcome is unknown.
   */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/**
 * @throws DatabaseAway from every function, if the database does not answer or the outcome of a statement is
 *   unknown
 */
export function connectionOn(pool: Pool, outages: OutageLog): Connection {
  const underWay = new Set<Promise<unknown>>();

  /** Track work under way. A closing pool gives out no connections, so the close waits for all of it. */
  function finished<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    const done = () => void underWay.delete(work);
    work.then(done, done);
    return work;
  }

  function away(cause: unknown): DatabaseAway {
    outages.failed(cause);
    return new DatabaseAway();
  }

  async function withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    let client: PoolClient | undefined;
    try {
      client = await pool.connect();
      const result = await work(client);
      client.release();
      outages.answered();
      return result;
    } catch (error) {
      // After any error but a refusal the connection is not used again.
      const canGoOn = isRefusal(error) || isWorthRetrying(error);
      client?.release(!canGoOn);
      if (canGoOn && client) throw error;
      throw away(error);
    }
  }

  return {
    query: (statement, values) => finished(withClient((client) => queryOn(client)(statement, values))),
    transaction: (work) => finished(retrying(() => withClient((client) => inTransaction(client, work)))),
    async close() {
      await Promise.allSettled(underWay);
      await pool.end();
    },
  };
}

/** Commits what `work` does on the connection, or rolls it back and throws. */
async function inTransaction<T>(client: PoolClient, work: (query: Query) => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work(queryOn(client));
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('The database rolled back what it was asked to commit.');
    return result;
  } catch (error) {
    // On a broken connection there is nothing to roll back, and ROLLBACK would fail as well.
    if (isRefusal(error) || isWorthRetrying(error)) await client.query('ROLLBACK');
    throw error;
  }
}

function queryOn(client: PoolClient): Query {
  return async <Row extends QueryResultRow>({ name, text }: Statement, values: readonly unknown[]) =>
    (await client.query<Row>({ name, text, values: [...values] })).rows;
}

/** The database does not answer. The cause is logged now and then, and not for every failing call. */
export class DatabaseAway extends Unavailable {
  constructor() {
    super('The database does not answer.');
  }
}

/** Another transaction changed what this one had read, so this one must start again. */
export class TransactionConflict extends Error {
  override name = 'TransactionConflict';
}

/** Connection failures, server shutdown, internal errors, and connections that the server ended. */
const UNKNOWN_OUTCOME = /^(?:08|57P|58|XX)|^25P0[345]$/;

/** Whether the server refused the statement. Nothing of it was done, and the connection stays usable. */
export function isRefusal(error: unknown): error is pg.DatabaseError & { code: string } {
  return error instanceof pg.DatabaseError && error.code !== undefined && !UNKNOWN_OUTCOME.test(error.code);
}

/** Serialization failures, deadlocks, and {@link TransactionConflict}: the transaction may succeed if run again. */
function isWorthRetrying(error: unknown): boolean {
  return (
    error instanceof TransactionConflict || (isRefusal(error) && ['40001', '40P01'].includes(error.code))
  );
}

/** Whether one call of a batch may be the cause: bad data, a broken constraint, a row that stays locked. */
export function isFaultOfOne(error: unknown): boolean {
  return isRefusal(error) && /^(?:22|23|40|55P03)/.test(error.code);
}

const MAX_ATTEMPTS = 10;

/** Run `transaction` until it succeeds or has conflicted with others too often. */
export async function retrying<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isWorthRetrying(error)) throw error;
    }
  }
}

/** The error of a database that cannot be opened: its address without the password, why, and what to do. */
export function failedToConnect(what: string, url: string, cause: unknown): Error {
  // Our own error says all of that already.
  if (cause instanceof Error && /^(?:Failed to open |--)/.test(cause.message)) return cause;
  return new Error(
    `Failed to open ${what} ${withoutSecrets(url)}: ${sentenceOf(cause)}. Please check that PostgreSQL is there, that the user may connect and create tables, or name another database with --database or --mis-database.`,
    { cause },
  );
}

/** The message of a failed connection. Node combines several attempts in one error without a message. */
function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(sentenceOf).join(', ');
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
