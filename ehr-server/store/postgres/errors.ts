/** Classifies database errors: try again, tell the caller, or drop the connection. */
import pg from 'pg';
import { Unavailable } from '#service/process/unavailable.ts';
import { withoutSecrets } from '../../database/address.ts';

/** The database does not answer. The cause is logged now and then, and not for every failing call. */
export class DatabaseAway extends Unavailable {
  constructor() {
    super('The database does not answer.');
  }
}

/** Another transaction changed what this one had read, so this one must start again. */
export class Overtaken extends Error {
  override name = 'Overtaken';
}

/** Connection failures, server shutdown, internal errors, and connections that the server ended. */
const UNKNOWN_OUTCOME = /^(?:08|57P|58|XX)|^25P0[345]$/;

/** Whether the server refused the statement. Nothing of it was done, and the connection stays usable. */
export function isRefusal(error: unknown): error is pg.DatabaseError & { code: string } {
  return error instanceof pg.DatabaseError && error.code !== undefined && !UNKNOWN_OUTCOME.test(error.code);
}

/** Serialization failures, deadlocks, and {@link Overtaken}: the transaction may succeed if run again. */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof Overtaken || (isRefusal(error) && ['40001', '40P01'].includes(error.code));
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
