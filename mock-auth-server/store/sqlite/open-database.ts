/** Opens a SQLite file for durable use by this process alone. Its error says what to do. */
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { type OwnDatabase, refuseForeign } from '#service/foreign-database.ts';
import { makePrivate } from '#service/process/files/private-file.ts';
import { makeDirectory } from '#service/process/files/writing.ts';
import type { Log } from '#service/process/log.ts';
import { OpenError, openSqlite } from '#service/sqlite.ts';
import { migrate, SCHEMA_VERSION } from './schema.ts';

/** How long opening waits for another process to close the file. */
const BUSY_TIMEOUT_MS = 1_000;

const ownDatabase: OwnDatabase = {
  what: 'the database',
  setting: '--database (AUTH_DATABASE)',
  tables: [['users', 'correspondence']],
  newestVersion: SCHEMA_VERSION,
};

/** A commit is on the disk before it returns. The file is locked: claimed codes are in one process's memory. */
export function openDatabase(file: string, log?: Log): Database {
  let db: Database | undefined;
  try {
    refuseForeign(file, ownDatabase);
    makeDirectory(dirname(file));
    makePrivate(file, log);
    db = openSqlite(file, { timeout: BUSY_TIMEOUT_MS });
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    // Overwrite deleted content.
    db.pragma('secure_delete = ON');
    migrate(db);
    return db;
  } catch (cause) {
    db?.close();
    if (cause instanceof OpenError) throw cause;
    throw new Error(`Failed to open the database ${file}: ${explain(cause)}.`, { cause });
  }
}

function explain(cause: unknown): string {
  const { code, message } = cause as { code?: string; message: string };
  if (code === 'SQLITE_BUSY')
    return 'another process has it open. Please stop that one, or name another file with --database (AUTH_DATABASE)';
  if (code === undefined) return message;
  return `${message}. Please check the path and its permissions, or name another file with --database (AUTH_DATABASE)`;
}
