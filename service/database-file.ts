/**
 * Checks that a SQLite database is still the one that was opened, with the log and the index of the log that
 * SQLite keeps beside it. SQLite does not look: it goes on where a file was deleted, moved or cut short, and
 * what it commits there is lost.
 */
import { closeSync, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { type Log, type OutageLog, outageLog, Unavailable } from './process/log.ts';

export type DatabaseFile = {
  /**
   * Call this before a change, and again after its commit and before its acknowledgement, outside of
   * transactions.
   * @throws Unavailable while a file is not in its place, and always once the database is lost
   */
  check(): void;
  /**
   * Close the database, after the last work on it. A lost one gets none and stays open until the process
   * ends, because closing it would copy its log into the file, and that damages what is left.
   */
  close(db: Database, lastWork?: () => void): void;
};

type DatabaseFileOptions = {
  /** Receives a line now and then while a file is away or the database lost, and one when it is back. */
  log?: Log | undefined;
  /**
   * The length in bytes that the database itself states. It is asked when the file has become shorter.
   * Absent: the file may never become shorter.
   */
  ownLength?: () => number;
  /**
   * Whether this log holds all that SQLite counts on. It is asked when the log has become shorter, or has a
   * hole. Absent: neither may be.
   */
  isLogWhole?: (walFile: string) => boolean;
};

/** A file as it was opened, and what has been seen of it since. */
type WatchedFile = { readonly path: string; readonly opened: Stats; length: number; hole: number };

/** The unit of `Stats.blocks`. */
const BLOCK_BYTES = 512;

/** Lost databases: what is still referred to is not closed by the garbage collector. */
const leftOpen: Database[] = [];

/**
 * Watch the file of an open database.
 * @param mayShrink whether the database itself makes its file shorter, by a VACUUM
 */
export function watchDatabase(
  db: Database,
  { log, mayShrink = false }: { log: Log | undefined; mayShrink?: boolean },
): DatabaseFile {
  return watchDatabaseFile(db.name, {
    log,
    isLogWhole: (walFile) => isLogWhole(db, walFile),
    ...(mayShrink && { ownLength: () => lengthOf(db) }),
  });
}

/** The length in bytes that a database itself states, including what is still in the log beside the file. */
export function lengthOf(db: Database): number {
  const number = (name: string) => db.pragma(name, { simple: true }) as number;
  return number('page_count') * number('page_size');
}

/** Watch a file that SQLite has open and has read from. */
export function watchDatabaseFile(file: string, options: DatabaseFileOptions = {}): DatabaseFile {
  const { ownLength, isLogWhole } = options;
  // SQLite keeps its files beside the target of a symbolic link.
  const target = realpathSync(file);
  const main = watched(file);
  const wal = watched(`${target}-wal`);
  // A process that has the file for itself keeps the index in its memory.
  const index = watched(`${target}-shm`);
  const outages = outagesOf(file, options.log);
  let lost: { outage: OutageLog; cause: Unavailable } | undefined;

  function lose(outage: OutageLog, what: string): never {
    const cause = new Unavailable(`The database ${file} ${what}.`);
    lost = { outage, cause };
    return refuse(outage, cause);
  }

  function check(): void {
    if (lost) refuse(lost.outage, lost.cause);
    const nowMain = statOf(file);
    const nowWal = wal && statOf(wal.path);
    const nowIndex = index && statOf(index.path);
    if (!isSame(nowMain, main) || !isSame(nowWal, wal))
      refuse(outages.away, new Unavailable(`The database ${file} is not in its place.`));
    if (!isSame(nowIndex, index)) {
      if (nowIndex) lose(outages.taken, 'was opened beside the server');
      refuse(outages.indexAway, new Unavailable(`The index of the log of ${file} is not in its place.`));
    }
    if (nowMain && main && nowMain.size < main.length) {
      if (nowMain.size === 0 || !ownLength || ownLength() > nowMain.size) lose(outages.cut, 'was cut short');
    }
    if (nowWal && wal && isShort(nowWal, wal) && !isLogWhole?.(wal.path))
      lose(outages.logCut, 'lost its log');
    note(nowMain, main);
    note(nowWal, wal);
    outages.away.answered();
    outages.indexAway.answered();
  }

  return {
    check,
    close(db, lastWork) {
      try {
        if (db.open) check();
      } catch {
        // SQLite does not write to a file that took the place of the one it opened, so closing does no harm.
      }
      if (lost) {
        leftOpen.push(db);
        return;
      }
      if (db.open) lastWork?.();
      db.close();
    },
  };
}

function outagesOf(file: string, log: Log | undefined) {
  const outage = (away: string, back = '') => outageLog(log, { away, back });
  const restore = 'keep a copy of the file and of those beside it, and bring back a backup';
  return {
    away: outage(
      `the database ${file} is not in its place: it was deleted, moved or replaced while the server runs. Changes are refused. Please put it back with the files beside it; to go on with another file, restart the server`,
      `the database ${file} is in its place again`,
    ),
    cut: outage(
      `the database ${file} was cut short while the server runs. Please stop the server, ${restore}`,
    ),
    logCut: outage(
      `the log of the database, ${file}-wal, was cut short while the server runs, and what stood in it alone is lost. Changes are refused. Please stop the server, ${restore}`,
    ),
    indexAway: outage(
      `the index of the log, ${file}-shm, is not in its place: it was deleted or moved while the server runs. Changes are refused, because another program that opens the database now would write over them. Please restart the server; nothing that was acknowledged is missing`,
      `the index of the log, ${file}-shm, is in its place again`,
    ),
    taken: outage(
      `another program has opened the database ${file} after ${file}-shm, the index of its log, was deleted or moved: it and the server do not see each other. Changes are refused. Please end that program, then restart the server`,
    ),
  };
}

function refuse(outage: OutageLog, cause: Unavailable): never {
  outage.failed(cause);
  throw cause;
}

function watched(path: string): WatchedFile | undefined {
  const opened = statOf(path);
  return opened && { path, opened, length: opened.size, hole: holeOf(opened) };
}

function statOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

/** Whether a file is still the one that was opened, or there was none to watch. */
function isSame(now: Stats | undefined, before: WatchedFile | undefined): boolean {
  return before === undefined || (now?.ino === before.opened.ino && now.dev === before.opened.dev);
}

/**
 * Whether a file may have been cut. If SQLite wrote to it since, it has its length again, and a hole. Where
 * the file system compresses, every file has holes: a look is due only once they have doubled.
 */
function isShort(now: Stats, before: WatchedFile): boolean {
  return now.size < before.length || holeOf(now) > 2 * before.hole;
}

/** How many bytes of a file are on no block of the disk. */
function holeOf({ size, blocks }: Stats): number {
  return Math.max(0, size - blocks * BLOCK_BYTES);
}

function note(now: Stats | undefined, before: WatchedFile | undefined): void {
  if (!now || !before) return;
  before.length = now.size;
  before.hole = Math.max(before.hole, holeOf(now));
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Two random numbers, in the header and in each frame since the log was last begun. */
const SALT_BYTES = 8;
const SALT_OF_HEADER = 16;
const SALT_OF_FRAME = 8;

/**
 * Whether a write-ahead log holds all that SQLite counts on: each frame begins as it was written. A log that was
 * cut short and written to again has zeros there. The format is that of
 * https://sqlite.org/fileformat2.html#walformat.
 * @param db outside of a transaction
 */
export function isLogWhole(db: Database, walFile: string): boolean {
  const { log: frames } = db.prepare<[], { log: number }>('PRAGMA wal_checkpoint(NOOP)').get() ?? { log: 0 };
  if (frames <= 0) return true;
  const frameBytes = FRAME_HEADER_BYTES + (db.pragma('page_size', { simple: true }) as number);
  // SQLite takes no lock on this file, so closing it here releases none.
  const descriptor = openSync(walFile, 'r');
  try {
    if (fstatSync(descriptor).size < HEADER_BYTES + frames * frameBytes) return false;
    const salt = saltAt(descriptor, SALT_OF_HEADER);
    if (salt.every((byte) => byte === 0)) return false;
    for (let frame = 0; frame < frames; frame++) {
      if (!salt.equals(saltAt(descriptor, HEADER_BYTES + frame * frameBytes + SALT_OF_FRAME))) return false;
    }
    return true;
  } finally {
    closeSync(descriptor);
  }
}

function saltAt(descriptor: number, position: number): Buffer {
  const salt = Buffer.alloc(SALT_BYTES);
  readSync(descriptor, salt, 0, SALT_BYTES, position);
  return salt;
}
