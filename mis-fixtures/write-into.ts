/** Writes a population into an existing database file in one transaction, changing nothing else in it. */
import type { Database } from 'better-sqlite3';
import { MIS_SCHEMA_VERSION } from '#ehr-server/mis/schema.ts';
import { openSqlite } from '#service/sqlite.ts';
import { FixturesError } from './fixtures-error.ts';
import { type LoadOptions, loadPopulation } from './load-population.ts';
import type { PopulationPlan } from './population.ts';
import { begin, codeOf, inUse } from './sqlite-file.ts';

/**
 * Replaces the population in `file`.
 * @param force whether an existing population may be replaced
 * @returns how many patients are stored
 * @throws {FixturesError} when there is one and `force` is not set, or the file is no SQLite database or in
 * use
 */
export async function writeInto(
  file: string,
  plan: PopulationPlan,
  options: LoadOptions,
  force: boolean,
): Promise<number> {
  const database = openExisting(file);
  try {
    refuseUnlessReplaceable(database, file, force);
    switchToWal(database, file);
    begin(database, 'IMMEDIATE', file);
    try {
      // Checks again, now that no other process can write.
      refuseUnlessReplaceable(database, file, force);
      const patients = await loadPopulation(database, plan, options);
      database.exec('COMMIT');
      return patients;
    } catch (error) {
      // When the disk is full, SQLite itself has already rolled back.
      if (database.inTransaction) database.exec('ROLLBACK');
      throw error;
    }
  } finally {
    database.close();
  }
}

function openExisting(file: string): Database {
  let database: Database | undefined;
  try {
    database = openSqlite(file, { fileMustExist: true });
    // Reads the header, so that a file that is no database is refused here.
    database.pragma('schema_version');
    return database;
  } catch (cause) {
    database?.close();
    if (codeOf(cause) === 'SQLITE_BUSY') throw inUse(file, cause);
    const fact = cause instanceof Error ? cause.message : String(cause);
    throw new FixturesError(
      `Failed to open ${file}: ${fact}. Please name a SQLite database, or a file that does not exist yet.`,
      { cause },
    );
  }
}

function refuseUnlessReplaceable(database: Database, file: string, force: boolean): void {
  const hasTable = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  if (hasTable.get('mis_meta') !== undefined) {
    const version = Number(
      database.prepare("SELECT value FROM mis_meta WHERE name = 'schema_version'").pluck().get(),
    );
    if (version > MIS_SCHEMA_VERSION) {
      throw new FixturesError(
        `Failed to write the population: the one in ${file} has schema version ${version}, which is newer than this program's ${MIS_SCHEMA_VERSION}. ` +
          'Please use the program that wrote it, or another file.',
      );
    }
  }
  if (force || hasTable.get('patient') === undefined) return;
  const patients = database.prepare('SELECT count(*) FROM patient').pluck().get();
  if (patients === 0) return;
  throw new FixturesError(
    `Failed to write the population: ${file} holds one of ${String(patients)} patients already. ` +
      'Please add --force to replace it (sessions and links in the file stay), or name another file with --database.',
  );
}

/** Uses a write-ahead log, so that readers can go on and see either the old or the new population. */
function switchToWal(database: Database, file: string): void {
  try {
    database.pragma('journal_mode = WAL');
  } catch (error) {
    throw codeOf(error) === 'SQLITE_BUSY' ? inUse(file, error) : error;
  }
}
