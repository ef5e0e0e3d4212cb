/** Watches that a SQLite database is still the file that was opened. SQLite goes on in a file that was deleted or moved away, and what it commits there is lost. */
import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import type { Log } from './log.ts';
import { outageLog, Unavailable } from './outage-log.ts';

export type DatabaseFile = {
  /**
   * To be called before a change and, before it is acknowledged, after its commit.
   * @throws Unavailable while the file is not in its place, and for good once it was cut short
   */
  check(): void;
};

export type DatabaseFileOptions = {
  /** Hears once in a while that the file is away or cut short, and when it is back. */
  log?: Log | undefined;
  /** How long the database is by its own account, in bytes; asked when the file has become shorter. Absent: it never may. */
  ownLength?: () => number;
};

/** Begins to watch a file that SQLite has open and has read from. In memory there is nothing to watch. */
export function watchDatabaseFile(file: string, { log, ownLength }: DatabaseFileOptions = {}): DatabaseFile {
  if (file === ':memory:') return { check: () => undefined };
  // SQLite keeps its log beside the file that a symbolic link leads to.
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
