/**
 * Puts all reads of one event-loop tick into one transaction, so that SQLite locks and unlocks the file once
 * for all of them.
 */
import type { Database } from 'better-sqlite3';

/** The read transactions of one connection. */
export type ReadTransactions = {
  /**
   * Call this before each read. It begins the transaction of this tick, and does nothing within a
   * transaction. All reads until the end of the tick, or until `end`, see one state of the file.
   */
  begin(): void;
  /** End the transaction. Call it before an operation that is not possible within one. */
  end(): void;
};

/**
 * Create the read transactions of a connection.
 * @param onBegin called once a tick, before the first read
 */
export function readTransactions(db: Database, onBegin?: () => void): ReadTransactions {
  // BEGIN takes no lock; the first read does.
  const beginning = db.prepare('BEGIN');
  const ending = db.prepare('ROLLBACK');
  let isOpen = false;
  let endsWithTick = false;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    // A failed read may have ended the transaction.
    if (db.inTransaction) ending.run();
  };
  const endWithTick = () => {
    endsWithTick = false;
    end();
  };
  return {
    begin() {
      if (isOpen || db.inTransaction) return;
      onBegin?.();
      beginning.run();
      isOpen = true;
      if (endsWithTick) return;
      endsWithTick = true;
      setImmediate(endWithTick);
    },
    end,
  };
}
