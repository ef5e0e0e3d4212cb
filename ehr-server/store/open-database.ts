/** Opening a SQLite file for durable use, with an error that says what to do when it cannot be. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Log } from '#service/log.ts';
import { makePrivate } from '#service/private-file.ts';
import { openSqlite } from '#service/sqlite.ts';
import { isPostgres, withoutSecrets } from '../database-address.ts';
import { failedToOpen } from '../sqlite-failure.ts';

/** How long a statement waits for another process that holds the file's lock, in milliseconds. */
const BUSY_TIMEOUT_MS = 2_000;

/**
 * What is read stays in the cache of the system and needs none of SQLite's own. A large one costs: at the end of a
 * transaction in which an index was rearranged SQLite looks through all of it (note 55).
 */
const CACHE_KIB = 4 * 1_024;

/**
 * Opens (or creates) `file`, or a database in memory for `:memory:`. WAL with `synchronous=FULL`: a commit is on the
 * disk before it returns, so what was acknowledged survives SIGKILL and power loss. What is deleted is overwritten.
 * @param log hears of access to the file that was taken from other accounts
 * @throws Error naming the file, what is wrong and the remedy
 */
export function openDatabase(file: string, log?: Log): Database {
  // Never a folder with a password for its name.
  if (isPostgres(file))
    throw new Error(`${withoutSecrets(file)} is a PostgreSQL database; a SQLite file is wanted here.`);
  let db: Database | undefined;
  try {
    if (file !== ':memory:') {
      mkdirSync(dirname(file), { recursive: true });
      makePrivate(file, log);
    }
    db = openSqlite(file, { timeout: BUSY_TIMEOUT_MS });
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma(`cache_size = -${CACHE_KIB}`);
    db.pragma('secure_delete = ON');
    // A file that another program cuts short would end the process where it is mapped (note 52).
    db.pragma('mmap_size = 0');
    return db;
  } catch (cause) {
    db?.close();
    throw failedToOpen('the database', file, cause);
  }
}
