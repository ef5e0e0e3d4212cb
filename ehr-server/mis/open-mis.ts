/** Opens the population with the engine that `--mis-database` names, or else `--database`. */
import type { Log } from '#service/process/log.ts';
import type { EhrConfig } from '../config.ts';
import { IN_MEMORY, isPostgres } from '../database/address.ts';
import type { SqliteFailures } from '../store/sqlite/failure.ts';
import { isJsonFile, openJsonMis } from './json-file.ts';
import { createMemoryMis } from './memory.ts';
import type { LocalMis, Mis } from './mis.ts';

/**
 * Open the population. In the database of the sessions, missing tables are created. A separate database must
 * have them.
 * @param log receives the failures of a file
 * @throws {Error} when it cannot be opened, holds no population, or has another schema version
 */
export async function openMis(
  {
    database: ofSessions,
    misDatabase,
    databasePool,
  }: Pick<EhrConfig, 'database' | 'misDatabase' | 'databasePool'>,
  log?: Log,
): Promise<Mis> {
  const database = misDatabase ?? ofSessions;
  const mustExist = database !== ofSessions;
  if (database === IN_MEMORY && !mustExist) return createMemoryMis([]);
  if (mustExist && isJsonFile(database)) return openJsonMis(database);
  if (!isPostgres(database)) {
    const [{ openSqliteMis }, { sqliteFailures }] = await Promise.all([
      import('./sqlite.ts'),
      import('../store/sqlite/failure.ts'),
    ]);
    return tellingFailures(openSqliteMis(database, { log, mustExist }), sqliteFailures(database, log));
  }
  const [{ openPostgresMis }, { openPool }] = await Promise.all([
    import('./postgres/mis.ts'),
    import('../store/postgres/pool.ts'),
  ]);
  return openPostgresMis(openPool(database, databasePool), database, mustExist);
}

/** Wrap a population so that failures of its file are logged now and then. */
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
    endReads: () => mis.endReads?.(),
    check() {
      failures.check();
      telling(() => mis.check());
    },
    close: () => mis.close(),
  };
}
