/** Puts a population into a database file without ever leaving it incomplete or harming its other content. */
import { dirname } from 'node:path';
import { ofAnyVersion } from '#ehr-server/database/own-database.ts';
import { type Found, refuseForeign } from '#service/foreign-database.ts';
import { makeDirectory } from '#service/process/files/writing.ts';
import { loadSqlite, SqliteUnavailable } from '#service/sqlite.ts';
import { FixturesError } from './fixtures-error.ts';
import type { LoadOptions } from './load-population.ts';
import type { PopulationPlan } from './population.ts';
import { codeOf, inUse } from './sqlite-file.ts';
import { writeInto } from './write-into.ts';
import { writeNew } from './write-new.ts';

export type PopulationRequest = PopulationPlan &
  LoadOptions & {
    /** The SQLite file. Missing directories are created. */
    file: string;
    /** Whether an existing population in the file may be replaced. */
    force?: boolean;
  };

/** `patients` includes the personas; `existed` tells whether the file existed before. */
export type PopulationResult = { patients: number; existed: boolean };

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
  const { file, force = false } = request;
  try {
    // Fails before any file is created.
    loadSqlite();
    const existed = lookAt(file) !== 'nothing';
    makeDirectory(dirname(file));
    const patients = existed
      ? await writeInto(file, request, request, force)
      : await writeNew(file, request, request);
    return { patients, existed };
  } catch (cause) {
    if (cause instanceof SqliteUnavailable) throw new FixturesError(`${cause.message}.`, { cause });
    // Errors of the file system and of SQLite have a code. Our own errors and programming mistakes have none.
    if (typeof codeOf(cause) !== 'string') throw cause;
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
    return refuseForeign(file, { ...ofAnyVersion, what: 'the population in', setting: '--database' });
  } catch (cause) {
    if (codeOf(cause) === 'SQLITE_BUSY') throw inUse(file, cause);
    // Errors without a code are sentences of ours.
    if (cause instanceof Error && codeOf(cause) === undefined && !(cause instanceof SqliteUnavailable))
      throw new FixturesError(cause.message, { cause });
    throw cause;
  }
}
