/**
 * Checks that a SQLite database is still the file that was opened. SQLite keeps writing to a file that was
 * deleted or moved away, and what it commits there is lost.
 */
import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import type { Log } from './process/log.ts';
import { outageLog, Unavailable } from './process/outage-log.ts';

export type DatabaseFile = {
  /**
   * Call this before a change, and again after its commit and before its acknowledgement.
   * @throws Unavailable while the file is not in its place, and always once it was cut short
   */
  check(): void;
};

export type DatabaseFileOptions = {
  /** Receives a line now and then while the file is away or cut short, and one when it is back. */
  log?: Log | undefined;
  /**
   * The length in bytes that the database itself states. It is asked when the file has become shorter.
   * Absent: the file may never become shorter.
   */
  ownLength?: () => number;
};

/** Watch a file that SQLite has open and has read from. */
export function watchDatabaseFile(file: string, { log, ownLength }: DatabaseFileOptions = {}): DatabaseFile {
  // SQLite keeps its log beside the target of a symbolic link.
  const walFile = `${realpathSync(file)}-wal`;
  const opened = statOf(file);
  const openedWal = existsSync(walFile) ? statOf(walFile) : undefined;
  let length = opened?.size ?? 0;
  let cutShort: Unavailable | undefined;
  const away = outageLog(log, {
    away: `the database ${file} is not in its place: it was deleted, moved or replaced while the server runs. Changes are refused. Please put it back with the files beside it; to go on with another file, restart the server`,
    back: `the database ${file} is in its place again`,
  });
  const broken = outageLog(log, {
    away: `the database ${file} was cut short while the server runs. Please stop the server, keep a copy of the file and of those beside it, and bring back a backup`,
    back: '',
  });

  return {
    check() {
      if (cutShort) {
        broken.failed(cutShort);
        throw cutShort;
      }
      const now = statOf(file);
      if (!now || !isSame(now, opened) || (openedWal && !isSame(statOf(walFile), openedWal))) {
        const unavailable = new Unavailable(`The database ${file} is not in its place.`);
        away.failed(unavailable);
        throw unavailable;
      }
      if (now.size < length && (now.size === 0 || !ownLength || ownLength() > now.size)) {
        cutShort = new Unavailable(`The database ${file} was cut short.`);
        broken.failed(cutShort);
        throw cutShort;
      }
      ({ size: length } = now);
      away.answered();
    },
  };
}

function statOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}
