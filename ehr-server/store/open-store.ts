/** Opens the store with the engine that `--database` names. Each engine is loaded only when it is wanted. */
import type { Log } from '#service/process/log.ts';
import type { EhrConfig } from '../config.ts';
import { IN_MEMORY, isPostgres } from '../database/address.ts';
import { memoryStore } from './memory.ts';
import type { Store, StoreOptions } from './store.ts';

/** The name of the engine of this address. */
export function engineOf(database: string): 'memory' | 'postgresql' | 'sqlite' {
  if (isPostgres(database)) return 'postgresql';
  return database === IN_MEMORY ? 'memory' : 'sqlite';
}

type StoreSettings = Pick<EhrConfig, 'database' | 'audit'> &
  Pick<StoreOptions, 'failedMatchesPerHour'> &
  Partial<Pick<EhrConfig, 'databasePool' | 'databaseTimeout'>>;

type StoreParts = Pick<StoreOptions, 'onCommit' | 'endOtherReads'> & {
  /** Receives the failures of the database and its recovery. */
  log?: Log;
};

/**
 * Open the store that the settings name, and create or upgrade its tables.
 * @throws Error naming the database, what is wrong and the remedy
 */
export async function openStore(
  { database, audit, failedMatchesPerHour, databasePool = 10, databaseTimeout = 5_000 }: StoreSettings,
  { log, ...parts }: StoreParts = {},
): Promise<Store> {
  const options = { audit, failedMatchesPerHour, ...parts };
  switch (engineOf(database)) {
    case 'memory':
      return memoryStore(options);
    case 'sqlite': {
      const { openSqliteStore } = await import('./open-sqlite-store.ts');
      return openSqliteStore(database, options, log);
    }
    case 'postgresql': {
      const { openPostgresStore } = await import('./postgres/store.ts');
      return openPostgresStore(database, {
        ...options,
        log,
        connections: databasePool,
        timeoutMs: databaseTimeout,
      });
    }
  }
}
