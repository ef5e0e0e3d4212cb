/** Shared by both ways of writing a population to SQLite: taking the write lock, and telling errors apart. */
import type { Database } from 'better-sqlite3';
import { FixturesError } from './fixtures-error.ts';

/**
 * Takes the write lock.
 * @throws {FixturesError} when another process holds it
 */
export function begin(database: Database, how: 'IMMEDIATE' | 'EXCLUSIVE', file: string): void {
  try {
    database.exec(`BEGIN ${how}`);
  } catch (error) {
    throw codeOf(error) === 'SQLITE_BUSY' ? inUse(file, error) : error;
  }
}

export function inUse(file: string, cause: unknown): FixturesError {
  return new FixturesError(
    `Failed to write the population: another program is writing ${file}. Please let it finish, then run this again.`,
    { cause },
  );
}

/** Returns the code of an error of SQLite or the file system. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
