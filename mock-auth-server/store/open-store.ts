/** Opens the store that `--database` names. SQLite is loaded only for a file. */
import type { Log } from '#service/process/log.ts';
import { memoryStore } from './memory.ts';
import type { Store } from './store.ts';

/** @param log receives a line when the file is away and when it is back */
export async function openStore(file: string, log?: Log): Promise<Store> {
  if (file === ':memory:') return memoryStore();
  const { openSqliteStore } = await import('./sqlite/store.ts');
  return openSqliteStore(file, log);
}
