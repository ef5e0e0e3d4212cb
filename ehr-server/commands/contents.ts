/** What a database file holds: the server's own tables, the patients, or both; and whether this program knows its tables. */
import Sqlite, { type Database } from 'better-sqlite3';
import { MIS_SCHEMA_VERSION } from '../mis/schema.ts';
import { SCHEMA_VERSION } from '../store/schema.ts';
import { CommandError, factOf } from './command-error.ts';
import { requireFile } from './which-database.ts';

/** Which of the two kinds of tables a file has. */
export type Contents = { sessions: boolean; patients: boolean };

/** Tables whose rows are counted, by what people call them. */
export const COUNTED = {
  sessions: 'sessions',
  'exchange tokens': 'exchange_tokens',
  links: 'links',
  'audit entries': 'audit',
  patients: 'patient',
} as const;

/**
 * Opens a file read-only; neither it nor a server that has it open is disturbed.
 * @throws CommandError when it is no SQLite database
 */
export function openForCopy(file: string): Database {
  requireFile(file);
  let db: Database | undefined;
  try {
    db = new Sqlite(file, { readonly: true, fileMustExist: true });
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return db;
  } catch (cause) {
    db?.close();
    throw new CommandError(`Failed to open ${file}: ${factOf(cause)}.`, { cause });
  }
}

/** @throws CommandError for a file that holds nothing of ours */
export function contentsOf(db: Database): Contents {
  const has = (table: string) =>
    db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined;
  const contents = { sessions: has('sessions') && has('links'), patients: has('patient') && has('mis_meta') };
  if (contents.sessions || contents.patients) return contents;
  throw new CommandError(`${db.name} is no database of this server: it holds neither sessions nor patients.`);
}

/** @throws CommandError for a file whose tables this program does not know */
export function requireKnownVersion(db: Database, { sessions, patients }: Contents): void {
  if (sessions) requireKnown(db, db.pragma('user_version', { simple: true }), SCHEMA_VERSION);
  if (!patients) return;
  const version = db.prepare("SELECT value FROM mis_meta WHERE name = 'schema_version'").pluck().get();
  requireKnown(db, Number(version), MIS_SCHEMA_VERSION);
}

/** When the newest entry of the audit was written, in milliseconds; undefined when there is none. */
export function newestEntryOf(db: Database): number | undefined {
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'audit'").get() === undefined) return undefined;
  return db.prepare<[], number>('SELECT at FROM audit ORDER BY id DESC LIMIT 1').pluck().get();
}

function requireKnown(db: Database, version: unknown, known: number): void {
  if (typeof version === 'number' && version >= 1 && version <= known) return;
  throw new CommandError(
    `${db.name} was written by another version of this program (schema ${version}, known is ${known}). Please use the version that wrote it, or a newer one.`,
  );
}
