/**
 * Puts all reads of one event-loop tick into one transaction, so that SQLite locks and unlocks the file once
 * for all of them.
 */
import type { Database } from 'better-sqlite3';
import type { MaybePromise } from '#protocol/maybe-promise.ts';

const open: (() => void)[] = [];

/**
 * Create the function to call before each read of this connection. It begins the read transaction of this
 * tick, and does nothing within a transaction. All reads until the end of the tick, or until
 * `endReadTransactions`, see one state of the file.
 * @param onBegin called once a tick, before the first read
 */
export function readTransaction(db: Database, onBegin?: () => void): () => void {
  // BEGIN takes no lock; the first read does.
  const beginning = db.prepare('BEGIN');
  const ending = db.prepare('ROLLBACK');
  let isOpen = false;
  const end = () => {
    isOpen = false;
    // A failed read may have ended the transaction.
    if (db.inTransaction) ending.run();
  };
  return () => {
    if (isOpen || db.inTransaction) return;
    onBegin?.();
    beginning.run();
    isOpen = true;
    if (open.push(end) === 1) setImmediate(endReadTransactions);
  };
}

/**
 * End the read transactions of all connections. Call it before an operation that is not possible within them.
 * Other connections to the same file count too: SQLite restarts the log beside the file only while nobody
 * reads.
 */
export function endReadTransactions(): void {
  for (const end of open.splice(0)) end();
}

/**
 * Return the same answer, and end the read transactions before the caller gets it. A call that waited for a
 * commit goes on late in its tick, and its reads then stay open into the next tick. But a caller that gets
 * its answer, changes the file from another process and calls again must see its change.
 */
export function withReadsEnded<Answer>(answer: MaybePromise<Answer>): MaybePromise<Answer> {
  if (!(answer instanceof Promise)) return answer;
  return answer.then((known) => {
    endReadTransactions();
    return known;
  });
}
