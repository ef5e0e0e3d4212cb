/** Opening a SQLite file for durable use, with an error that says what to do when it cannot be. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { isPostgres, withoutSecrets } from '../database-address.ts';
import { failedToOpen } from '../sqlite-failure.ts';
import { createPrivately } from './private-file.ts';

/** How long a statement waits for another process that holds the file's lock, in milliseconds. */
const BUSY_TIMEOUT = 2_000;

/**
 * Reading goes through the mapped file and needs no cache of SQLite's own. A large one costs: at the end of a
 * transaction in which an index was rearranged SQLite looks through all of it (note 55).
 */
const CACHE_KIB = 4 * 1_024;

/**
 * Opens (or creates) `file`, or a database in memory for `:memory:`. WAL with `synchronous=FULL`: a commit is on the
 * disk before it returns, so what was acknowledged survives SIGKILL and power loss.
 * @throws Error naming the file, what is wrong and the remedy
 */
export function openDatabase(file: string): Database {
  // Never a folder with a password for its name.
  if (isPostgres(file))
    throw new Error(`${withoutSecrets(file)} is a PostgreSQL database; a SQLite file is wanted here.`);
  let db: Database | undefined;
  try {
    if (file !== ':memory:') {
      mkdirSync(dirname(file), { recursive: true });
      createPrivately(file);
    }
    db = new Sqlite(file, { timeout: BUSY_TIMEOUT });
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma(`cache_size = -${CACHE_KIB}`);
    db.pragma('mmap_size = 2147418112');
    return db;
  } catch (cause) {
    db?.close();
    throw failedToOpen('the database', file, cause);
  }
}
