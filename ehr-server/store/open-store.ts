/** Opens the store with the engine that `--database` names. */
import { watchDatabaseFile } from '#service/database-file.ts';
import type { Log } from '#service/process/log.ts';
import type { EhrConfig } from '../config.ts';
import { isPostgres } from '../database-address.ts';
import { lengthOf } from '../database-length.ts';
import { failedToOpen, sqliteFailures } from '../sqlite-failure.ts';
import { openDatabase } from './open-database.ts';
import { migrate } from './schema.ts';
import { sqliteStore } from './sqlite.ts';
import type { Store, StoreOptions } from './store.ts';
import { watchStore } from './watch.ts';

/** The name of the engine of this address. */
export function engineOf(database: string): 'postgresql' | 'sqlite' {
  return isPostgres(database) ? 'postgresql' : 'sqlite';
}

type StoreSettings = Pick<EhrConfig, 'database' | 'audit'> &
  Pick<StoreOptions, 'failedMatchesPerHour'> &
  Partial<Pick<EhrConfig, 'databasePool' | 'databaseTimeout'>>;

/**
 * Open the store that the settings name, and create or upgrade its tables.
 * @param log receives the failures of the database and its recovery
 * @throws Error naming the database, what is wrong and the remedy
 */
export async function openStore(
  { database, audit, failedMatchesPerHour, databasePool = 10, databaseTimeout = 5_000 }: StoreSettings,
  onCommit?: StoreOptions['onCommit'],
  log?: Log,
): Promise<Store> {
  const options = { audit, failedMatchesPerHour, onCommit };
  if (!isPostgres(database)) return openSqliteStore(database, options, log);
  // A server on SQLite starts without loading the driver.
  const { openPostgresStore } = await import('./postgres/store.ts');
  return openPostgresStore(database, { ...options, log, connections: databasePool, timeoutMs: databaseTimeout });
}

/** How long a statement waits for another process. The server does nothing else meanwhile. */
const BUSY_TIMEOUT_MS = 5;

function openSqliteStore(file: string, { onCommit, ...options }: StoreOptions, log: Log | undefined): Store {
  const db = openDatabase(file, log);
  const failures = sqliteFailures(file, log);
  const wrote = (size: number) => {
    failures.committed();
    onCommit?.(size);
  };
  try {
    migrate(db);
    const place = watchDatabaseFile(file, { log, ownLength: () => lengthOf(db) });
    const store = sqliteStore(db, { ...options, onCommit: wrote, checkFile: place.check });
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    const whole: Store = {
      ...store,
      check() {
        failures.check();
        return store.check();
      },
    };
    return watchStore(whole, (_operation, error) => failures.failed(error));
  } catch (cause) {
    db.close();
    throw failedToOpen('the database', file, cause);
  }
}
