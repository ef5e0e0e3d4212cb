/** Which engine holds the population: the address given by `--mis-database` says, or that of `--database`. */
import { isPostgres } from '../database-address.ts';
import type { Mis } from './mis.ts';
import { openSqliteMis } from './sqlite.ts';

/**
 * Opens the population, creating its tables when there are none.
 * @param connections how many connections to a database server may be open
 * @throws {Error} when it cannot be opened or has another schema version
 */
export async function openMis(database: string, connections: number): Promise<Mis> {
  if (!isPostgres(database)) return openSqliteMis(database);
  // Loaded when it is needed: a server on SQLite starts without the driver.
  const [{ openPostgresMis }, { openPool }] = await Promise.all([
    import('./postgres/mis.ts'),
    import('../store/postgres/pool.ts'),
  ]);
  return openPostgresMis(openPool(database, connections));
}
