/** Putting a population into a database file without ever leaving half of one, or harming what else the file holds. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { MIS_SCHEMA_VERSION } from '#ehr-server/mis/schema.ts';
import { FixturesError } from './fixtures-error.ts';
import { type LoadOptions, loadPopulation } from './load-population.ts';
import type { PopulationPlan } from './population.ts';

export type PopulationRequest = PopulationPlan &
  LoadOptions & {
    /** The SQLite file; directories above it are made. */
    file: string;
    /** Whether a population that is in the file already may be replaced. */
    force?: boolean;
  };

/** `patients` counts the personas too; `existed` tells whether the file was there before. */
export type PopulationResult = { patients: number; existed: boolean };

/**
 * Writes a population.
 *
 * A file that does not exist is built as `FILE.partial` and takes its name when it is complete, so the same plan gives
 * the same bytes. A file that exists may hold the EHR server's sessions, so it is never replaced: its population tables
 * alone are written anew, in one transaction, and a server that has it open sees the old population until the commit.
 * @throws {FixturesError} when the file holds a population and `force` is not set, is no SQLite database, is in use, or
 *   cannot be written
 * @throws {StoppedError} when the signal has fired; the file is then as it was before
 * @throws {RangeError} for a locale that faker does not offer
 */
export async function writePopulation(request: PopulationRequest): Promise<PopulationResult> {
  const { file } = request;
  const existed = existsSync(file);
  try {
    mkdirSync(dirname(file), { recursive: true });
    const patients = existed ? await writeInto(request) : await writeNew(request);
    return { patients, existed };
  } catch (cause) {
    // What the file system or SQLite complains of has a code; ours and mistakes of the program have none.
    if (typeof codeOf(cause) !== 'string') throw cause;
    const fact = cause instanceof Error ? cause.message : String(cause);
    throw new FixturesError(
      `Failed to write the population to ${file}: ${fact}. Please check the path, its permissions and the free space.`,
      { cause },
    );
  }
}

async function writeNew(request: PopulationRequest): Promise<number> {
  const { file } = request;
  const partial = `${file}.partial`;
  removeLeftover(partial);
  const database = new SqliteDatabase(partial, { timeout: 0 });
  try {
    // Nobody reads this file before it is complete, and a crash discards it: no journal, no flushing on the way.
    for (const pragma of [
      'journal_mode = OFF',
      'synchronous = OFF',
      'locking_mode = EXCLUSIVE',
      'cache_size = -131072',
    ]) {
      database.pragma(pragma);
    }
    begin(database, 'EXCLUSIVE', partial);
    try {
      const patients = await loadPopulation(database, request, request);
      database.exec('COMMIT');
      database.close();
      flush(partial);
      publish(partial, file);
      return patients;
    } catch (error) {
      database.close();
      rmSync(partial, { force: true });
      throw error;
    }
  } finally {
    database.close();
  }
}

async function writeInto(request: PopulationRequest): Promise<number> {
  const { file } = request;
  const database = openExisting(file);
  try {
    refuseUnlessReplaceable(database, request);
    switchToWal(database, file);
    begin(database, 'IMMEDIATE', file);
    try {
      // Once more, now that nobody else can write.
      refuseUnlessReplaceable(database, request);
      const patients = await loadPopulation(database, request, request);
      database.exec('COMMIT');
      return patients;
    } catch (error) {
      // SQLite itself rolls back when the disk is full.
      if (database.inTransaction) database.exec('ROLLBACK');
      throw error;
    }
  } finally {
    database.close();
  }
}

/** Removes what a killed run left behind, unless a run is writing it right now. */
function removeLeftover(partial: string): void {
  if (!existsSync(partial)) return;
  const leftover = new SqliteDatabase(partial, { timeout: 0 });
  try {
    leftover.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if (codeOf(error) === 'SQLITE_BUSY') throw inUse(partial, error);
    // Half a database can be unreadable; it is removed all the same.
  } finally {
    leftover.close();
  }
  unlinkSync(partial);
}

function openExisting(file: string): Database {
  let database: Database | undefined;
  try {
    database = new SqliteDatabase(file, { fileMustExist: true });
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

function refuseUnlessReplaceable(database: Database, { file, force = false }: PopulationRequest): void {
  const hasTable = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  if (hasTable.get('mis_meta') !== undefined) {
    const version = Number(database.prepare("SELECT value FROM mis_meta WHERE name = 'schema_version'").pluck().get());
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

/** With a write-ahead log readers go on while the population is written, and see it whole or not at all. */
function switchToWal(database: Database, file: string): void {
  try {
    database.pragma('journal_mode = WAL');
  } catch (error) {
    throw codeOf(error) === 'SQLITE_BUSY' ? inUse(file, error) : error;
  }
}

function begin(database: Database, how: 'IMMEDIATE' | 'EXCLUSIVE', file: string): void {
  try {
    database.exec(`BEGIN ${how}`);
  } catch (error) {
    throw codeOf(error) === 'SQLITE_BUSY' ? inUse(file, error) : error;
  }
}

function inUse(file: string, cause: unknown): FixturesError {
  return new FixturesError(
    `Failed to write the population: another program is writing ${file}. Please let it finish, then run this again.`,
    { cause },
  );
}

function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Gives the file its name unless somebody has made one of that name meanwhile, which a rename would destroy. */
function publish(partial: string, file: string): void {
  try {
    linkSync(partial, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      throw new FixturesError(
        `Failed to write the population: ${file} was made by another program meanwhile. Please run this again.`,
        { cause: error },
      );
    }
    // Some file systems know no hard links.
    renameSync(partial, file);
    return;
  }
  unlinkSync(partial);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
