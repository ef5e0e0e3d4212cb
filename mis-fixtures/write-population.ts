/** Puts a population into a database file without ever leaving it incomplete or harming its other content. */

import { closeSync, existsSync, fsyncSync, openSync, readSync, rmSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { ownDatabaseOfAnyVersion } from '#ehr-server/database/own-database.ts';
import { MIS_SCHEMA_VERSION } from '#ehr-server/mis/schema.ts';
import { type Found, refuseForeign } from '#service/foreign-database.ts';
import { otherThanFile } from '#service/process/files/file-kind.ts';
import { makePrivate } from '#service/process/files/private-file.ts';
import { codeOf, giveNewName, makeDirectory } from '#service/process/files/writing.ts';
import { hasTable, loadSqlite, openSqlite, SqliteUnavailable } from '#service/sqlite.ts';
import { FixturesError, type LoadOptions, loadPopulation } from './load-population.ts';
import type { PopulationPlan } from './population.ts';

type PopulationRequest = PopulationPlan &
  LoadOptions & {
    /** The SQLite file. Missing directories are created. */
    file: string;
    /** Whether an existing population in the file may be replaced. */
    force?: boolean;
  };

/** `patients` includes the personas; `existed` tells whether the file existed before. */
type PopulationResult = { patients: number; existed: boolean };

/**
 * Writes a population.
 *
 * A new file is built as `FILE.partial` and renamed when it is complete, so the same plan gives the same
 * bytes. An existing file may hold the EHR server's sessions, so it is never replaced: only its population
 * tables are rewritten, in one transaction. A server that has it open sees the old population until the
 * commit.
 * @throws {FixturesError} when the file holds a population and `force` is not set, is no database of ours, is
 * in use, or cannot be written; or no module of SQLite fits this Node
 * @throws {StoppedError} when the signal has fired; the file is then as it was before
 * @throws {RangeError} for a locale that faker does not offer
 */
export async function writePopulation(request: PopulationRequest): Promise<PopulationResult> {
  const { file } = request;
  try {
    // Fails before any file is created.
    loadSqlite();
    const existed = lookAt(file) !== 'nothing';
    makeDirectory(dirname(file));
    const patients = existed ? await writeInto(request) : await writeNew(request);
    return { patients, existed };
  } catch (cause) {
    if (cause instanceof SqliteUnavailable) throw new FixturesError(`${cause.message}.`, { cause });
    // Errors of the file system and of SQLite have a code. Our own errors and programming mistakes have none.
    if (codeOf(cause) === undefined) throw cause;
    const fact = cause instanceof Error ? cause.message : String(cause);
    throw new FixturesError(
      `Failed to write the population to ${file}: ${fact}. Please check the path, its permissions and the free space.`,
      { cause },
    );
  }
}

/** Find out what is in the place of the file, before anything is changed. */
function lookAt(file: string): Found {
  try {
    return refuseForeign(file, {
      ...ownDatabaseOfAnyVersion,
      what: 'the population in',
      setting: '--database',
    });
  } catch (cause) {
    if (codeOf(cause) === 'SQLITE_BUSY') throw inUse(file, cause);
    // Errors without a code are sentences of ours.
    if (cause instanceof Error && codeOf(cause) === undefined && !(cause instanceof SqliteUnavailable))
      throw new FixturesError(cause.message, { cause });
    throw cause;
  }
}

/**
 * Replaces the population in `file`.
 * @returns how many patients are stored
 * @throws {FixturesError} when there is one and `force` is not set, or the file is in use
 */
async function writeInto(request: PopulationRequest): Promise<number> {
  const { file, force = false } = request;
  const database = openSqlite(file, { fileMustExist: true });
  try {
    unlessInUse(file, () => {
      refuseUnlessReplaceable(database, file, force);
      // With a write-ahead log readers can go on and see either the old or the new population.
      database.pragma('journal_mode = WAL');
      database.exec('BEGIN IMMEDIATE');
    });
    try {
      // Checks again, now that no other process can write.
      refuseUnlessReplaceable(database, file, force);
      const patients = await loadPopulation(database, request, request);
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

function refuseUnlessReplaceable(database: Database, file: string, force: boolean): void {
  if (hasTable(database, 'mis_meta')) {
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
  if (force || !hasTable(database, 'patient')) return;
  const patients = database.prepare('SELECT count(*) FROM patient').pluck().get();
  if (patients === 0) return;
  throw new FixturesError(
    `Failed to write the population: ${file} holds one of ${String(patients)} patients already. ` +
      'Please add --force to replace it (sessions and links in the file stay), or name another file with --database.',
  );
}

/**
 * Builds `FILE.partial` and renames it when it is complete.
 * @returns how many patients are stored
 * @throws {FixturesError} when another run is building it, or another process created the file meanwhile
 */
async function writeNew(request: PopulationRequest): Promise<number> {
  const { file } = request;
  const partial = `${file}.partial`;
  removeLeftover(partial);
  makePrivate(partial);
  const database = openSqlite(partial, { timeout: 0 });
  try {
    // Nothing reads this file before it is complete, and a crash discards it: it needs no journal and no
    // flushing.
    for (const pragma of [
      'journal_mode = OFF',
      'synchronous = OFF',
      'locking_mode = EXCLUSIVE',
      'cache_size = -131072',
    ]) {
      database.pragma(pragma);
    }
    unlessInUse(partial, () => database.exec('BEGIN EXCLUSIVE'));
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

/**
 * Removes the rest of a killed run, unless a run is writing it right now.
 * @throws {FixturesError} when it is a file of another program
 */
function removeLeftover(partial: string): void {
  const other = otherThanFile(partial);
  if (!other && !existsSync(partial)) return;
  if (other || !isHalfDatabase(partial)) {
    throw new FixturesError(
      `Failed to write the population: ${partial} is ${other ?? 'a file of another program'}, and this program needs that name. Please move it away, or name another file with --database.`,
    );
  }
  const leftover = openSqlite(partial, { timeout: 0 });
  try {
    leftover.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if (codeOf(error) === 'SQLITE_BUSY') throw inUse(partial, error);
    // An incomplete database can be unreadable. It is removed all the same.
  } finally {
    leftover.close();
  }
  unlinkSync(partial);
}

/** The first bytes of every SQLite database. */
const HEADER = Buffer.from('SQLite format 3\0');

/** Whether the file begins as a database does. A killed run may have left one without its first page. */
function isHalfDatabase(partial: string): boolean {
  const descriptor = openSync(partial, 'r');
  try {
    const begin = Buffer.alloc(HEADER.length);
    const length = readSync(descriptor, begin);
    return length === 0 || begin.equals(HEADER) || begin.every((byte) => byte === 0);
  } finally {
    closeSync(descriptor);
  }
}

function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Gives the file its name, unless such a file exists by now. */
function publish(partial: string, file: string): void {
  try {
    giveNewName(partial, file);
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
    throw new FixturesError(
      `Failed to write the population: ${file} was made by another program meanwhile. Please run this again.`,
      { cause },
    );
  }
}

/**
 * Does what needs the file, such as taking its write lock.
 * @throws {FixturesError} when another process is writing it
 */
function unlessInUse(file: string, act: () => void): void {
  try {
    act();
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
