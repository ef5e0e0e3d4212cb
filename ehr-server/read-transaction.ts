/** The reads of one event-loop turn in one transaction: SQLite takes and gives back the locks of a file once for all of them, and not for each. */
import type { Database } from 'better-sqlite3';
import type { MaybePromise } from '#protocol/maybe-promise.ts';

const open: (() => void)[] = [];

/**
 * Returns what is to be called before each read of this connection; within a transaction it does nothing. What is read
 * until the turn is over, or until `endReadTransactions`, is of one state of the file.
 * @param onBegin called once a turn, before the first read
 */
export function readTransaction(db: Database, onBegin?: () => void): () => void {
  // Takes no lock: the first read does.
  const beginning = db.prepare('BEGIN');
  const ending = db.prepare('ROLLBACK');
  let isOpen = false;
  const end = () => {
    isOpen = false;
    // A read that failed may have ended it.
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
 * Ends the reads of all connections; to be called before whatever cannot be done among them. Another connection to the
 * same file counts too: SQLite begins the log beside the file anew only while nobody reads.
 */
export function endReadTransactions(): void {
  for (const end of open.splice(0)) end();
}

/**
 * The same answer, with the reads ended before anybody has it. A call that has waited for a commit goes on when its turn
 * is nearly over, and what it reads then is part of the next one; whoever is answered, changes the file from another
 * process and calls again must find what he has changed.
 */
export function withReadsEnded<Answer>(answer: MaybePromise<Answer>): MaybePromise<Answer> {
  if (!(answer instanceof Promise)) return answer;
  return answer.then((known) => {
    endReadTransactions();
    return known;
  });
}
