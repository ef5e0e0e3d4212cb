/** Runs statements on the pool, prepared by name, and distinguishes an outage from a refusal. */
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import type { OutageLog } from '#service/process/outage-log.ts';
import { DatabaseAway, isRefusal, isWorthRetrying, retrying } from './errors.ts';

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
