/**
 * Explains SQLite errors: which file is concerned and what to do. They are logged now and then, not once for
 * each failing call.
 */
import { systemClock } from '#protocol/time/clock.ts';
import { type Log, type OutageLog, outageLog, Unavailable } from '#service/process/log.ts';
import { isSqliteError, OpenError, SqliteUnavailable } from '#service/sqlite.ts';

type StoreTrouble = 'busy' | 'full' | 'read_only' | 'damaged' | 'unreachable' | 'disk' | 'memory';

export type SqliteFailures = {
  /**
   * Note an error, and return the error to throw in its place. Undefined: the error does not concern the
   * file, so it is thrown itself.
   */
  failed(error: unknown): Unavailable | undefined;
  /** Note a COMMIT. */
  committed(): void;
  /**
   * @throws Unavailable always, once anything in the file was found damaged, because a success elsewhere does
   *   not mend it; and shortly after a disk failure, because a probe may need less space than the call that
   *   failed
   */
  check(): void;
};

/** A failure is over once nothing has failed for this long. */
const QUIET_MS = 1_000;

const TROUBLES: readonly (readonly [code: RegExp, trouble: StoreTrouble])[] = [
  [/^SQLITE_(?:BUSY|LOCKED)/, 'busy'],
  [/^SQLITE_FULL/, 'full'],
  [/^SQLITE_(?:READONLY|PERM|AUTH)/, 'read_only'],
  [/^SQLITE_(?:CORRUPT|NOTADB|IOERR_(?:CORRUPTFS|DATA|SHORT_READ))/, 'damaged'],
  [/^SQLITE_CANTOPEN/, 'unreachable'],
  [/^SQLITE_(?:IOERR_)?NOMEM/, 'memory'],
  [/^SQLITE_(?:IOERR|NOLFS|PROTOCOL)/, 'disk'],
];

const FACTS: Readonly<Record<StoreTrouble, string>> = {
  busy: 'another process holds its lock. Please end that one, or let it finish',
  full: 'the disk is full. Please free space; the server then goes on by itself',
  read_only:
    'it cannot be written. Please give the account that runs the server write access to the file, to the two beside it that end in -wal and -shm, and to their directory',
  damaged:
    'it is damaged. Please stop the server, keep a copy of the file and of those beside it, and put a backup in its place',
  unreachable:
    'it cannot be opened. Please check that it is still in its place, and that the process may open more files (ulimit -n)',
  memory: 'there is no memory left. Please give the machine more, or end what uses it',
  disk: 'the disk does not do what it is asked, or a limit for files is reached (ulimit -f, a quota). Please check the disk and the limits',
};

/**
 * The kind of a SQLite error. Undefined: it is no SQLite error, or it concerns a statement and not the file.
 */
export function troubleOf(error: unknown): StoreTrouble | undefined {
  if (!isSqliteError(error)) return undefined;
  return TROUBLES.find(([code]) => code.test(error.code))?.[1];
}

/** The error of a file that cannot be opened: which file, why, and what to do. */
export function failedToOpen(what: string, file: string, cause: unknown): OpenError {
  if (cause instanceof OpenError) return cause;
  const trouble = troubleOf(cause);
  const said = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof SqliteUnavailable)
    return new OpenError(`Failed to open ${what} ${file}: ${said}.`, { cause });
  const remedy = trouble
    ? `${FACTS[trouble]} (${said})`
    : `${said}. Please check the path and its permissions, or name another file with --database`;
  return new OpenError(`Failed to open ${what} ${file}: ${remedy}.`, { cause });
}

/** Create the failure log of one file. */
export function sqliteFailures(file: string, log: Log | undefined): SqliteFailures {
  const outages = new Map<StoreTrouble, OutageLog>();
  let damage: Unavailable | undefined;
  let shortage: { at: number; unavailable: Unavailable } | undefined;
  return {
    failed(error) {
      const trouble = troubleOf(error);
      if (!trouble) return undefined;
      let outage = outages.get(trouble);
      if (!outage) {
        const away = `the database ${file} fails calls: ${FACTS[trouble]}`;
        outage = outageLog(log, {
          away,
          back: `the database ${file} takes changes again`,
          quietMs: QUIET_MS,
        });
        outages.set(trouble, outage);
      }
      outage.failed(error);
      const unavailable = new Unavailable(`The database ${file} fails: ${FACTS[trouble]}.`);
      if (trouble === 'damaged') damage = unavailable;
      if (trouble === 'full' || trouble === 'disk') shortage = { at: systemClock.now(), unavailable };
      return unavailable;
    },
    committed() {
      for (const [trouble, outage] of outages) if (trouble !== 'damaged') outage.answered();
    },
    check() {
      if (damage) throw damage;
      if (shortage && Math.abs(systemClock.now() - shortage.at) < QUIET_MS) throw shortage.unavailable;
    },
  };
}
