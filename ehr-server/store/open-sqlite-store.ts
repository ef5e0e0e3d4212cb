/** Opens the store in a SQLite file, watches the file, and explains its failures. */
import { watchDatabase } from '#service/database-file.ts';
import type { DatabaseLock } from '#service/database-lock.ts';
import type { Log } from '#service/process/log.ts';
import { lockForServer, refuseServed } from '../database/own-database.ts';
import { failedToOpen, sqliteFailures } from './sqlite/failure.ts';
import { openDatabase } from './sqlite/open-database.ts';
import { migrate } from './sqlite/schema.ts';
import { sqliteStore } from './sqlite/store.ts';
import type { Store, StoreOptions } from './store.ts';
import { watchStore } from './watch-store.ts';

/** How long a statement waits for another process. The server does nothing else meanwhile. */
const BUSY_TIMEOUT_MS = 5;

/**
 * Open the store, and create or upgrade its tables.
 * @throws Error naming the file, what is wrong and the remedy
 */
export function openSqliteStore(
  file: string,
  { onCommit, ...options }: StoreOptions,
  log: Log | undefined,
): Store {
  refuseServed(file);
  let lock: DatabaseLock | undefined;
  const db = openDatabase(file, log, () => {
    lock = lockForServer(file);
  });
  const failures = sqliteFailures(file, log);
  const wrote = (size: number) => {
    failures.committed();
    onCommit?.(size);
  };
  try {
    migrate(db);
    const place = watchDatabase(db, { log, mayShrink: true });
    const store = sqliteStore(db, { ...options, onCommit: wrote, place });
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    const whole: Store = {
      ...store,
      check() {
        failures.check();
        return store.check();
      },
      async close() {
        await store.close();
        lock?.release();
      },
    };
    return watchStore(whole, (_operation, error) => failures.failed(error));
  } catch (cause) {
    db.close();
    lock?.release();
    throw failedToOpen('the database', file, cause);
  }
}
