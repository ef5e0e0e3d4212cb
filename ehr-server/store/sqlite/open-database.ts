/** Opens a SQLite file for durable use. Its error says what to do. */
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { refuseForeign } from '#service/foreign-database.ts';
import { makePrivate } from '#service/process/files/private-file.ts';
import { makeDirectory } from '#service/process/files/writing.ts';
import type { Log } from '#service/process/log.ts';
import { openSqlite } from '#service/sqlite.ts';
import { isPostgres, withoutSecrets } from '../../database/address.ts';
import { ownDatabase } from '../../database/own-database.ts';
import { failedToOpen } from './failure.ts';

/** How long a statement waits for another process that holds the file's lock. */
const BUSY_TIMEOUT_MS = 2_000;

/**
 * SQLite's own cache. It is small, because the system caches what is read, and a large one costs time: after
 * a transaction that rearranged an index, SQLite searches all of it (note 25).
 */
const CACHE_KIB = 4 * 1_024;

/**
 * Open or create `file`, or a database in memory for `:memory:`. WAL with `synchronous=FULL`: a commit is on
 * the disk before it returns, so acknowledged changes survive SIGKILL and power loss. Deleted content is
 * overwritten.
 * @param log receives a warning when access to the file was taken from other accounts
 * @param beforeOpening called when the file is there and is ours, before SQLite opens it
 * @throws Error naming the file, what is wrong and the remedy
 */
export function openDatabase(file: string, log?: Log, beforeOpening?: () => void): Database {
  // Otherwise a folder would be created whose name contains the password.
  if (isPostgres(file))
    throw new Error(`${withoutSecrets(file)} is a PostgreSQL database; a SQLite file is wanted here.`);
  let db: Database | undefined;
  try {
    if (file !== ':memory:') {
      refuseForeign(file, ownDatabase);
      makeDirectory(dirname(file));
      makePrivate(file, log);
      beforeOpening?.();
    }
    db = openSqlite(file, { timeout: BUSY_TIMEOUT_MS });
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma(`cache_size = -${CACHE_KIB}`);
    db.pragma('secure_delete = ON');
    // If the file were mapped, another program that cuts it short would crash this process (note 52).
    db.pragma('mmap_size = 0');
    return db;
  } catch (cause) {
    db?.close();
    throw failedToOpen('the database', file, cause);
  }
}
