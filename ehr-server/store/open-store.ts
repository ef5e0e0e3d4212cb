/** Which engine holds the store: the address given by `--database` says. */
import type { Log } from '#service/log.ts';
import type { EhrConfig } from '../config.ts';
import { isPostgres } from '../database-address.ts';
import { failedToOpen, sqliteFailures } from '../sqlite-failure.ts';
import { openDatabase } from './open-database.ts';
import { sqliteStore } from './sqlite.ts';
import type { Store, StoreOptions } from './store.ts';
import { watchStore } from './watch.ts';

/** Name of the engine that this address leads to. */
export function engineOf(database: string): 'postgresql' | 'sqlite' {
  return isPostgres(database) ? 'postgresql' : 'sqlite';
}

type StoreSettings = Pick<EhrConfig, 'database' | 'audit'> &
  Partial<Pick<EhrConfig, 'databasePool' | 'databaseTimeout'>>;

/**
 * Opens the store that the settings name, creating or upgrading its tables.
 * @param log hears when the database fails and when it is back
 * @throws Error naming the database, what is wrong and the remedy
 */
export async function openStore(
  { database, audit, databasePool = 10, databaseTimeout = 5_000 }: StoreSettings,
  committed?: StoreOptions['committed'],
  log?: Log,
): Promise<Store> {
  if (!isPostgres(database)) return openSqliteStore(database, { audit, committed }, log);
  // Loaded when it is needed: a server on SQLite starts without the driver.
  const { openPostgresStore } = await import('./postgres/store.ts');
  return openPostgresStore(database, { audit, committed, log, connections: databasePool, timeout: databaseTimeout });
}

/** How long a statement waits for another process while callers are served: nothing else happens meanwhile. */
const BUSY_TIMEOUT = 5;

function openSqliteStore(file: string, { audit, committed }: StoreOptions, log: Log | undefined): Store {
  const db = openDatabase(file);
  const failures = sqliteFailures(file, log);
  const wrote = (size: number) => {
    failures.committed();
    committed?.(size);
  };
  try {
    const store = sqliteStore(db, { audit, committed: wrote });
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
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
