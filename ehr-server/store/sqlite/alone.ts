/**
 * One server for each SQLite file. Limits are counted by its process, and if the index of the log is deleted,
 * a second process writes over what the first one has saved.
 */
import { type DatabaseLock, isServed, lockDatabase } from '#service/database-lock.ts';

/**
 * Keep other servers off the file until the lock is released or the process ends.
 * @throws Error when another server has it
 */
export function lockForServer(file: string): DatabaseLock {
  const lock = lockDatabase(file);
  if (lock) return lock;
  throw served(file);
}

/** @throws Error when a server has the file. Nothing is opened or changed. */
export function refuseServed(file: string): void {
  if (isServed(file)) throw served(file);
}

function served(file: string): Error {
  return new Error(
    `Failed to open the database ${file}: another EHR server uses it. Please stop that one, or name another file with --database (EHR_DATABASE). Several servers can share a PostgreSQL database.`,
  );
}
