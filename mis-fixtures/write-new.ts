/** Creates a database file that does not exist yet: complete, or not at all. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { otherThanFile } from '#service/process/files/file-kind.ts';
import { makePrivate } from '#service/process/files/private-file.ts';
import { openSqlite } from '#service/sqlite.ts';
import { FixturesError } from './fixtures-error.ts';
import { type LoadOptions, loadPopulation } from './load-population.ts';
import type { PopulationPlan } from './population.ts';
import { begin, codeOf, inUse } from './sqlite-file.ts';

/**
 * Builds `FILE.partial` and renames it when it is complete.
 * @returns how many patients are stored
 * @throws {FixturesError} when another run is building it, or another process created the file meanwhile
 */
export async function writeNew(file: string, plan: PopulationPlan, options: LoadOptions): Promise<number> {
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
    begin(database, 'EXCLUSIVE', partial);
    try {
      const patients = await loadPopulation(database, plan, options);
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

/** Gives the file its name, unless such a file exists by now: a rename would destroy that one. */
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
    // Some file systems have no hard links.
    renameSync(partial, file);
    return;
  }
  unlinkSync(partial);
}
