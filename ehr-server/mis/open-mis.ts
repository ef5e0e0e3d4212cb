/** Which engine holds the population: the address given by `--mis-database` says, or that of `--database`. */
import type { Log } from '#service/log.ts';
import type { EhrConfig } from '../config.ts';
import { isPostgres } from '../database-address.ts';
import { type SqliteFailures, sqliteFailures } from '../sqlite-failure.ts';
import type { LocalMis, Mis } from './mis.ts';
import { openSqliteMis } from './sqlite.ts';

/**
 * Opens the population. In the database of the sessions its tables are created when there are none; a database of its
 * own must have them.
 * @param log hears when a file fails
 * @throws {Error} when it cannot be opened, holds no population, or has another schema version
 */
export async function openMis(
  { database: ofSessions, misDatabase, databasePool }: Pick<EhrConfig, 'database' | 'misDatabase' | 'databasePool'>,
  log?: Log,
): Promise<Mis> {
  const database = misDatabase ?? ofSessions;
  const mustExist = database !== ofSessions;
  if (!isPostgres(database)) {
    return tellingFailures(openSqliteMis(database, { log, mustExist }), sqliteFailures(database, log));
  }
  // Loaded when it is needed: a server on SQLite starts without the driver.
  const [{ openPostgresMis }, { openPool }] = await Promise.all([
    import('./postgres/mis.ts'),
    import('../store/postgres/pool.ts'),
  ]);
  return openPostgresMis(openPool(database, databasePool), database, mustExist);
}

/** The same population; what is wrong with its file is told once in a while. */
function tellingFailures(mis: LocalMis, failures: SqliteFailures): Mis {
  const telling = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw failures.failed(error) ?? error;
    }
  };
  return {
    match: (query) => telling(() => mis.match(query)),
    get: (patientId) => telling(() => mis.get(patientId)),
    record: (patientId) => telling(() => mis.record(patientId)),
    check() {
      failures.check();
      telling(() => mis.check());
    },
    close: () => mis.close(),
  };
}
