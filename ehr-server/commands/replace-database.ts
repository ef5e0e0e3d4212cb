/** Exchanging a database file for another while nobody has it open; SQLite's own locks say whether anybody has. */
import { chownSync, closeSync, existsSync, linkSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import type { Clock } from '#protocol/clock.ts';
import { CommandError, codeOf, factOf } from './command-error.ts';
import { type Contents, contentsOf } from './contents.ts';
import { COMPANIONS, flush } from './files.ts';

/**
 * Makes sure that no other process has the database open.
 * @param mayBeDamaged whether a file that SQLite cannot read is let through
 * @returns what it holds; undefined when it cannot be read
 * @throws CommandError when it is in use, or damaged
 */
export function requireUnused(database: string, mayBeDamaged: boolean): Contents | undefined {
  const lock = takeAlone(database, mayBeDamaged);
  if (!lock) return undefined;
  try {
    const isEmpty = lock.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
    return isEmpty ? { sessions: false, patients: false } : contentsOf(lock);
  } finally {
    lock.close();
  }
}

/**
 * Puts `partial` in the place of `database`, on the disk too. At every moment a whole database stands under that name.
 * @returns under which name the old one is kept; undefined when there was none
 * @throws CommandError when somebody has it open
 */
export function replaceDatabase(
  partial: string,
  database: string,
  clock: Clock,
  mayBeDamaged: boolean,
): string | undefined {
  flush(partial);
  if (!existsSync(database)) {
    renameSync(partial, database);
    flush(dirname(database));
    return undefined;
  }
  const kept = `${database}.before-restore-${new Date(clock.now()).toISOString().replace(/[-:.]/g, '')}`;
  // Held over the exchange: a server that starts meanwhile waits, and SQLite refuses it the file that was moved away.
  const lock = takeAlone(database, mayBeDamaged);
  try {
    keepOwner(partial, database);
    // Of a damaged database only: a log that stayed would be read into the new one.
    for (const suffix of COMPANIONS) if (existsSync(database + suffix)) renameSync(database + suffix, kept + suffix);
    keepAs(database, kept);
    renameSync(partial, database);
    flush(dirname(database));
  } finally {
    lock?.close();
  }
  return kept;
}

/**
 * Opens the database with a lock that excludes everybody. Leaving WAL is what SQLite allows to the only connection
 * alone; it also writes the log into the file and removes it.
 */
function takeAlone(database: string, mayBeDamaged: boolean): Database | undefined {
  let db: Database | undefined;
  try {
    if (!hasHeader(database)) throw Object.assign(new Error('file is not a database'), { code: 'SQLITE_NOTADB' });
    db = new Sqlite(database, { fileMustExist: true, timeout: 0 });
    db.pragma('journal_mode = DELETE');
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (cause) {
    db?.close();
    const isDamaged = /^SQLITE_(?:NOTADB|CORRUPT|IOERR_SHORT_READ)/.test(codeOf(cause));
    if (isDamaged && mayBeDamaged) return undefined;
    throw new CommandError(`${whyNotAlone(database, cause, isDamaged)} Nothing was changed.`, { cause });
  }
}

function whyNotAlone(database: string, cause: unknown, isDamaged: boolean): string {
  if (codeOf(cause).startsWith('SQLITE_BUSY')) {
    return `${database} is in use: a server, or another program, has it open. Please stop it, then run this again.`;
  }
  const remedy = isDamaged
    ? ' It cannot be seen whether a server uses it. Please make sure that none does, then run this again with --force; the damaged file is kept.'
    : '';
  return `Failed to open ${database}: ${factOf(cause)}.${remedy}`;
}

/** SQLite takes a file that is too short for an empty database, and throws away the log beside it, which may be all that is left. */
function hasHeader(database: string): boolean {
  const header = Buffer.alloc(16);
  const descriptor = openSync(database, 'r');
  const length = readSync(descriptor, header);
  closeSync(descriptor);
  return length === 0 ? !existsSync(`${database}-wal`) : header.toString('latin1') === 'SQLite format 3\0';
}

/** A server under an account of its own must be able to open what another account has restored. */
function keepOwner(partial: string, database: string): void {
  const old = statSync(database);
  const made = statSync(partial);
  if (old.uid === made.uid && old.gid === made.gid) return;
  try {
    chownSync(partial, old.uid, old.gid);
  } catch (cause) {
    throw new CommandError(
      `${database} belongs to another account (${old.uid}), which could not open what is restored. Please run this as that account. Nothing was changed.`,
      { cause },
    );
  }
}

/** A second name first, so that there is no moment without a database. */
function keepAs(database: string, kept: string): void {
  try {
    linkSync(database, kept);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    // Some file systems know no hard links.
    renameSync(database, kept);
  }
}
