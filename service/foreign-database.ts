/**
 * Looks at the file that a setting names as a database, before anything is changed. A file of another program
 * is refused and stays as it is: its content, its mode and what stands beside it.
 */
import { existsSync, statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { isServed } from './database-lock.ts';
import { otherThanFile } from './process/files/file-kind.ts';
import { isSqliteError, OpenError, openSqlite } from './sqlite.ts';

export type OwnDatabase = {
  /** The subject of the refusal, such as `the database`. */
  readonly what: string;
  /** The setting that names the file, such as `--database (EHR_DATABASE)`. */
  readonly setting: string;
  /** A database is ours if it holds all tables of one of these lists, or no table at all. */
  readonly tables: readonly (readonly string[])[];
  /** The newest `user_version` of ours that this program knows. */
  readonly newestVersion: number;
};

/** The content found at the place. An empty file, and a database without tables, are `empty`. */
export type Found = 'nothing' | 'empty' | 'ours';

/** How long a look waits for another process that has locked the whole file. */
const BUSY_TIMEOUT_MS = 1_000;

/** The largest file that our own programs leave with an unfinished change: its first page. */
const FIRST_PAGE_BYTES = 4_096;

/**
 * Find out what a file is. Call it before the file is created, opened for writing, or its mode is changed.
 * @throws Error naming the setting, what was found and what to do, when it is not ours
 * @throws SqliteError when the file cannot be read
 */
export function refuseForeign(file: string, own: OwnDatabase): Found {
  const other = otherThanFile(file);
  if (other) throw refusal(file, own, other);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return 'nothing';
  if (found.size === 0) return 'empty';
  refuseLostIndex(file, own);
  let db: Database | undefined;
  try {
    db = openSqlite(file, { fileMustExist: true, readonly: hasUnfinished(file), timeout: BUSY_TIMEOUT_MS });
    return contentsOf(db, file, own);
  } catch (cause) {
    const code = isSqliteError(cause) ? cause.code : undefined;
    if (code === 'SQLITE_NOTADB') throw refusal(file, own, 'a file that is no SQLite database', cause);
    if (code !== 'SQLITE_READONLY_ROLLBACK') throw cause;
    if (found.size <= FIRST_PAGE_BYTES) return 'empty';
    throw refusal(file, own, 'a database with a change that another program did not finish', cause);
  } finally {
    db?.close();
  }
}

/**
 * Whether another program left a journal or a log beside the file. A connection that may write would carry
 * that out. Without one it writes nothing, and removes what it puts beside the file.
 */
function hasUnfinished(file: string): boolean {
  return ['-journal', '-wal'].some((suffix) => existsSync(file + suffix));
}

/**
 * Refuse to open a database whose server has lost the index of its log: with an index of our own we would not
 * see what that server writes, nor it what we write.
 */
function refuseLostIndex(file: string, { what }: OwnDatabase): void {
  const has = (suffix: string) => existsSync(file + suffix);
  if (!has('-wal') || has('-shm') || !isServed(file)) return;
  throw new OpenError(
    `Failed to open ${what} ${file}: a server uses it, and ${file}-shm is missing beside it. Please restart that server first.`,
  );
}

function contentsOf(db: Database, file: string, own: OwnDatabase): Found {
  const names = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  if (names.length === 0) return 'empty';
  if (!own.tables.some((tables) => tables.every((table) => names.includes(table)))) {
    throw refusal(file, own, `a SQLite database of another program (its tables are ${listOf(names)})`);
  }
  const version = db.pragma('user_version', { simple: true }) as number;
  if (version <= own.newestVersion) return 'ours';
  throw new OpenError(
    `Failed to open ${own.what} ${file}: it was written by a newer version of this program (schema ${version}, known is ${own.newestVersion}). Please update, or name another file with ${own.setting}.`,
  );
}

/** At most so many tables are named in an error. */
const MAX_NAMED = 3;

function listOf(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return names.slice(0, MAX_NAMED).join(', ') + more;
}

function refusal(file: string, { what, setting }: OwnDatabase, found: string, cause?: unknown): OpenError {
  return new OpenError(
    `Failed to open ${what} ${file}: ${setting} names ${found}. Nothing was changed. Please name a database of this program, or a file that does not exist yet.`,
    { cause },
  );
}
