/**
 * Opens the population with the engine that `--mis-database` names, or else `--database`. A JSON file is read into
 * memory: it needs no database.
 */

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { patient } from '#protocol/wire/fields.ts';
import { withoutMark } from '#protocol/wire/json.ts';
import type { Log } from '#service/process/log.ts';
import type { EhrConfig } from '../config.ts';
import { IN_MEMORY, isPostgres } from '../database/address.ts';
import type { SqliteFailures } from '../store/sqlite/failure.ts';
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
  if (mustExist && isJsonFile(database)) return createMemoryMis(patientsIn(database));
  if (!isPostgres(database)) {
    const [{ openSqliteMis }, { sqliteFailures }] = await Promise.all([
      import('./sqlite.ts'),
      import('../store/sqlite/failure.ts'),
    ]);
    return tellingFailures(openSqliteMis(database, { log, mustExist }), sqliteFailures(database, log));
  }
  const [{ openPostgresMis }, { openPool }] = await Promise.all([
    import('./postgres.ts'),
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

const shape = z.array(patient);

/** Whether the name is that of a JSON file. */
const isJsonFile = (database: string): boolean => /\.json$/i.test(database);

/**
 * Read the patients of a file.
 * @throws {Error} naming the file and what is wrong; without anything that stands in it
 */
function patientsIn(file: string): z.output<typeof shape> {
  const failure = (why: string, cause: unknown) =>
    new Error(
      `Failed to read the patients in ${file}: ${why}. Please correct it, or name another with --mis-database.`,
      { cause },
    );
  let text: string;
  let content: unknown;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw failure(`the file cannot be opened (${(cause as NodeJS.ErrnoException).code})`, cause);
  }
  try {
    content = JSON.parse(withoutMark(text));
  } catch (cause) {
    // The message of the parser repeats what stands in the file.
    throw failure('it is not JSON', cause);
  }
  const parsed = shape.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw failure(place === '' ? 'it must be a list of patients' : `${place} cannot be used`, parsed.error);
}
