/** Finds out what a database file holds: the server's own tables, the patients, or both. */
import type { Database } from 'better-sqlite3';
import { openSqlite } from '#service/sqlite.ts';
import { CommandError, factOf } from './command-error.ts';
import { requireDatabase } from './which-database.ts';

/** Which of the two kinds of tables a file has. */
export type Contents = { sessions: boolean; patients: boolean };

/** The tables whose rows are counted, by the names that people use. */
export const COUNTED = {
  sessions: 'sessions',
  'exchange tokens': 'exchange_tokens',
  links: 'links',
  'audit entries': 'audit',
  patients: 'patient',
} as const;

/**
 * Open a file read-only. Neither the file nor a server that has it open is disturbed.
 * @throws CommandError when it is no SQLite database
 */
export function openForCopy(file: string): Database {
  requireDatabase(file);
  let db: Database | undefined;
  try {
    db = openSqlite(file, { readonly: true, fileMustExist: true });
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return db;
  } catch (cause) {
    db?.close();
    throw new CommandError(`Failed to open ${file}: ${factOf(cause)}.`, { cause });
  }
}

/** @throws CommandError for a file that holds neither */
export function contentsOf(db: Database): Contents {
  const has = (table: string) =>
    db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined;
  const contents = { sessions: has('sessions') && has('links'), patients: has('patient') && has('mis_meta') };
  if (contents.sessions || contents.patients) return contents;
  throw new CommandError(`${db.name} is no database of this server: it holds neither sessions nor patients.`);
}
