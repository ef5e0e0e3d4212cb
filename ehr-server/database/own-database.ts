/**
 * What a SQLite file must hold to be used by this server and its commands; and one server for each file: limits
 * are counted by its process, and if the index of the log (`-shm`) is deleted, a second process writes over what
 * the first one has saved.
 */

import { type DatabaseLock, isServed, lockDatabase } from '#service/database-lock.ts';
import type { OwnDatabase } from '#service/foreign-database.ts';
import { OpenError } from '#service/sqlite.ts';
import { SCHEMA_VERSION } from '../store/sqlite/schema.ts';

/** A file is ours if it has a pair: of the sessions, since their first version, or of the patients. */
const TABLES = [
  ['sessions', 'links'],
  ['mis_meta', 'patient'],
] as const;

/** The database of the sessions. */
export const ownDatabase: OwnDatabase = {
  what: 'the database',
  setting: '--database (EHR_DATABASE)',
  tables: TABLES,
  newestVersion: SCHEMA_VERSION,
};

/** The same, also where it was written by a newer version of the server. */
export const ownDatabaseOfAnyVersion: OwnDatabase = {
  ...ownDatabase,
  newestVersion: Number.MAX_SAFE_INTEGER,
};

/** The database of the patients, in the file of the sessions: "Failed to open the population in FILE". */
export const ownPopulation: OwnDatabase = { ...ownDatabase, what: 'the population in' };

/** The database of the patients, in a file of its own. */
export const ownMisDatabase: OwnDatabase = { ...ownPopulation, setting: '--mis-database (EHR_MIS_DATABASE)' };

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

function served(file: string): OpenError {
  return new OpenError(
    `Failed to open the database ${file}: another EHR server uses it. Please stop that one, or name another file with --database (EHR_DATABASE). Several servers can share a PostgreSQL database.`,
  );
}
