/** Which engine holds the store: the address given by `--database` says. */
import type { EhrConfig } from '../config.ts';
import { openDatabase } from './open-database.ts';
import { sqliteStore } from './sqlite.ts';
import type { Store, StoreOptions } from './store.ts';

/** Name of the engine that this address leads to. */
export function engineOf(database: string): 'postgresql' | 'sqlite' {
  return /^postgres(ql)?:\/\//.test(database) ? 'postgresql' : 'sqlite';
}

/**
 * Opens the store that the settings name, creating or upgrading its tables.
 * @throws Error naming the database, what is wrong and the remedy
 */
export async function openStore({ database, audit }: Pick<EhrConfig, 'database' | 'audit'>, committed?: StoreOptions['committed']): Promise<Store> {
  return sqliteStore(openDatabase(database), { audit, committed });
}
