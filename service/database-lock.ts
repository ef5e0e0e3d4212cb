/**
 * Keeps a second server off a database. The lock is one of the system, held by SQLite on an empty file beside
 * the database, so it ends with its process, however that ends.
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { makePrivate } from './process/files/private-file.ts';
import { isSqliteError, OpenError, openSqlite } from './sqlite.ts';

export type DatabaseLock = { release(): void };

/** How long a start waits for a server that is ending. */
const WAIT_MS = 1_000;

/**
 * Lock a database for this process.
 * @param file it exists, or its directory does
 * @returns undefined when another server has it
 * @throws Error when the name of the lock is taken by another file
 */
export function lockDatabase(file: string): DatabaseLock | undefined {
  const lockFile = lockOf(file);
  makePrivate(lockFile);
  const lock = hold(lockFile, WAIT_MS);
  return lock && { release: () => void lock.close() };
}

/** Whether a server of ours, in this process or another one, has the database. Nothing is created. */
export function isServed(file: string): boolean {
  const lockFile = lockOf(file);
  if (!existsSync(lockFile)) return false;
  const lock = hold(lockFile, 0);
  lock?.close();
  return lock === undefined;
}

/** The file of the lock: one for all names of a database. */
function lockOf(file: string): string {
  const lockFile = `${existsSync(file) ? realpathSync(file) : file}-lock`;
  const found = lstatSync(lockFile, { throwIfNoEntry: false });
  if (found && !(found.isFile() && found.size === 0)) {
    throw new OpenError(
      `Failed to open ${file}: ${lockFile} is in the way, and is no lock of this program. Nothing was changed. Please move it away, or name another database.`,
    );
  }
  return lockFile;
}

/** Take the lock, or return undefined if it is taken. */
function hold(lockFile: string, timeout: number): Database | undefined {
  const lock = openSqlite(lockFile, { timeout });
  try {
    // Otherwise SQLite puts a journal beside the file, which stays empty.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (isSqliteError(error) && error.code.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}
