/** What an error of the database means: try again, tell the caller, or drop the connection. */
import pg from 'pg';
import { Unavailable } from '#service/outage-log.ts';
import { withoutSecrets } from '../../database-address.ts';

/** The database does not answer. Its cause is in the log, once in a while, and not in every call that meets it. */
export class DatabaseAway extends Unavailable {
  constructor() {
    super('The database does not answer.');
  }
}

/** What this transaction has read was changed by another before it could act: it begins anew. */
export class Overtaken extends Error {
  override name = 'Overtaken';
}

/** Connection failures, the server going down, its internal errors, and its own ends of a session. */
const UNKNOWN_OUTCOME = /^(?:08|57P|58|XX)|^25P0[345]$/;

/** Whether the server itself refused the statement: nothing of it was done, and the connection can go on. */
export function isRefusal(error: unknown): error is pg.DatabaseError & { code: string } {
  return error instanceof pg.DatabaseError && error.code !== undefined && !UNKNOWN_OUTCOME.test(error.code);
}

/** Serialization failures, deadlocks, and {@link Overtaken}: the same transaction may succeed if it is run again. */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof Overtaken || (isRefusal(error) && ['40001', '40P01'].includes(error.code));
}

/** Bad data, a broken constraint, a row that stays locked: what one call of a group can do to its neighbours. */
export function isFaultOfOne(error: unknown): boolean {
  return isRefusal(error) && /^(?:22|23|40|55P03)/.test(error.code);
}

const MAX_ATTEMPTS = 10;

/** Runs `transaction` until it succeeds or has been in another's way too often. */
export async function retrying<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isWorthRetrying(error)) throw error;
    }
  }
}

/** The error of a database that cannot be opened: which one, without its password, why, and what to do. */
export function failedToConnect(what: string, url: string, cause: unknown): Error {
  // A sentence of ours says all of that by itself.
  if (cause instanceof Error && /^(?:Failed to open |--)/.test(cause.message)) return cause;
  return new Error(
    `Failed to open ${what} ${withoutSecrets(url)}: ${sentenceOf(cause)}. Please check that PostgreSQL is there, that the user may connect and create tables, or name another database with --database or --mis-database.`,
    { cause },
  );
}

/** What a failed connection says: Node puts the attempts on several addresses into one error without words. */
function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(sentenceOf).join(', ');
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
