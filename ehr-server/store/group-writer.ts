/** Commits the writes of one event-loop turn, and of those right after it, together: one flush to the disk for all of them, and no promise resolves before it is done. */
import type { Database } from 'better-sqlite3';
import { systemClock } from '#protocol/clock.ts';
import { endReadTransactions } from '../read-transaction.ts';
import { troubleOf } from '../sqlite-failure.ts';

type Pending = {
  operation: () => unknown;
  durable: boolean;
  /** When it first met the lock of another process, by the machine's clock. */
  lockedSince: number | undefined;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

export type GroupWriterOptions = {
  /** Throws while the database is not the file that was opened: nothing is acknowledged then. */
  checkFile?: (() => void) | undefined;
  /** Hears how many writes each COMMIT took. */
  onCommit?: ((size: number) => void) | undefined;
  /** How long a write waits for another process that holds the lock, in milliseconds. */
  lockTimeoutMs?: number;
};

/** Shorter than callers wait for an answer, and than a stop waits for calls under way. */
const LOCK_TIMEOUT_MS = 3_000;
/** Between two tries for the lock the event loop is free, in milliseconds: calls that need no lock are answered. */
const RETRY_INTERVAL_MS = 25;
/** So many writes are committed without a look for more. */
const MAX_GATHERED_WRITES = 256;
/** Whoever comes when this many wait for the lock is turned away. */
const MAX_QUEUED_WRITES = 10_000;

export class GroupWriter {
  readonly #db: Database;
  readonly #begin;
  readonly #commit;
  readonly #rollback;
  readonly #onCommit;
  readonly #checkFile;
  readonly #lockTimeoutMs: number;
  #flushesToDisk = true;
  #pending: Pending[] = [];
  #idle: (() => void)[] = [];
  #locked: Error | undefined;

  constructor(db: Database, { checkFile, onCommit, lockTimeoutMs = LOCK_TIMEOUT_MS }: GroupWriterOptions = {}) {
    this.#onCommit = onCommit;
    this.#checkFile = checkFile;
    this.#lockTimeoutMs = lockTimeoutMs;
    this.#db = db;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
  }

  /** The complaint of the database while writes wait for another process to let go of its lock. */
  get locked(): Error | undefined {
    return this.#locked;
  }

  /**
   * Runs `operation` (synchronous, reading and writing this database only) inside the transaction of this turn, and
   * resolves to what it returned once that transaction is on the disk; where all operations of the turn are not
   * `durable`, once it is in the hands of the operating system, which keeps it when the process dies.
   */
  write<T>(operation: () => T, durable = true): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#locked && this.#pending.length >= MAX_QUEUED_WRITES) throw this.#locked;
      if (this.#pending.length === 0) setImmediate(this.#gather, 0);
      const settle = { resolve: resolve as (value: unknown) => void, reject };
      this.#pending.push({ operation, durable, lockedSince: undefined, ...settle });
    });
  }

  /** Resolves when nothing is waiting to be written. */
  settled(): Promise<void> {
    if (this.#pending.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** A flush to the disk takes as long as many turns, so it waits for another one as long as turns bring more writes. */
  readonly #gather = (before: number): void => {
    const { length } = this.#pending;
    if (length > before && length < MAX_GATHERED_WRITES && this.#pending.some(isDurable))
      setImmediate(this.#gather, length);
    else this.#flush();
  };

  #flush(): void {
    const group = this.#pending;
    this.#pending = [];
    this.#locked = undefined;
    this.#writeGroup(group);
    if (this.#pending.length > 0) {
      systemClock.after(RETRY_INTERVAL_MS, () => this.#flush());
      return;
    }
    // Nobody waits any more: whoever comes next finds out anew.
    this.#locked = undefined;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #writeGroup(group: readonly Pending[]): void {
    let results: unknown[];
    try {
      endReadTransactions();
      // A transaction that could not even be rolled back stands in the way of all others.
      if (this.#db.inTransaction) this.#rollback.run();
      const isChange = group.some(isDurable);
      // An entry on an access alone does no harm in a file that is looked for no more.
      if (isChange) this.#checkFile?.();
      this.#flushToDisk(isChange);
      this.#begin.run();
    } catch (error) {
      if (troubleOf(error) === 'busy') this.#postpone(group, error as Error);
      else for (const { reject } of group) reject(error);
      return;
    }
    try {
      results = group.map(resultOf);
    } catch (cause) {
      const error = this.#abandon(cause);
      // One bad operation must not fail its neighbours: each is tried again in a transaction of its own.
      if (group.length > 1 && isFaultOfOne(error)) for (const single of group) this.#writeGroup([single]);
      else for (const { reject } of group) reject(error);
      return;
    }
    try {
      this.#commit.run();
      this.#checkFile?.();
    } catch (cause) {
      const error = this.#abandon(cause);
      for (const { reject } of group) reject(error);
      return;
    }
    this.#onCommit?.(group.length);
    for (let index = 0; index < group.length; index++) (group[index] as Pending).resolve(results[index]);
  }

  /** Another process holds the lock: the group waits without holding up the event loop, until its lockTimeoutMs is over. */
  #postpone(group: readonly Pending[], error: Error): void {
    this.#locked = error;
    const now = systemClock.now();
    for (const pending of group) {
      pending.lockedSince ??= now;
      // A clock that was set back must not make anybody wait for ever.
      if (Math.abs(now - pending.lockedSince) < this.#lockTimeoutMs) this.#pending.push(pending);
      else pending.reject(error);
    }
  }

  /** Chooses how the next COMMIT ends; the database takes the choice between transactions only. */
  #flushToDisk(wanted: boolean): void {
    if (wanted === this.#flushesToDisk) return;
    this.#db.pragma(`synchronous = ${wanted ? 'FULL' : 'NORMAL'}`);
    this.#flushesToDisk = wanted;
  }

  /** Undoes the transaction, and returns what its calls are told. */
  #abandon(cause: unknown): unknown {
    try {
      // SQLite rolls back by itself on some errors (a full disk); a second ROLLBACK would be an error of its own.
      if (this.#db.inTransaction) this.#rollback.run();
      return cause;
    } catch (error) {
      // Nothing was committed; the next group begins by trying once more.
      return troubleOf(cause) ? cause : error;
    }
  }
}

const isDurable = ({ durable }: Pending) => durable;
const resultOf = ({ operation }: Pending) => operation();

/** Whether others of the group may fare better; where the disk fails all alike, trying each makes it worse. */
function isFaultOfOne(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble === undefined || trouble === 'damaged';
}
