/** Which engine holds the store: the address given by `--database` says. */
import type { EhrConfig } from '../config.ts';
import { openDatabase } from './open-database.ts';
import { sqliteStore } from './sqlite.ts';
import type { Store } from './store.ts';

/**
 * Opens the store that the settings name, creating or upgrading its tables.
 * @throws Error naming the database, what is wrong and the remedy
 */
export async function openStore({ database, audit }: EhrConfig): Promise<Store> {
  return sqliteStore(openDatabase(database), { audit });
}
