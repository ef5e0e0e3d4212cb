/**
 * Commits the writes of one event-loop tick, and of the ticks right after it, together. One flush to the disk
 * serves all of them, and no promise resolves before it.
 */
import type { Database } from 'better-sqlite3';
import { systemClock } from '#protocol/time/clock.ts';
import { troubleOf } from './failure.ts';

type Pending = {
  operation: () => unknown;
  durable: boolean;
  /** When it first found the database locked by another process, by the machine's clock. */
  lockedSince: number | undefined;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

export type GroupWriterOptions = {
  /** Throws while the database is not the file that was opened. No write is acknowledged then. */
  checkFile?: (() => void) | undefined;
  /** Called after each COMMIT with the number of writes in it. */
  onCommit?: ((size: number) => void) | undefined;
  /** Ends the reads under way. Called before each transaction. */
  endReads?: (() => void) | undefined;
  /** How long a write waits for another process that holds the lock. */
  lockTimeoutMs?: number;
};

/** Shorter than callers wait for an answer, and shorter than a stop waits for calls under way. */
const LOCK_TIMEOUT_MS = 3_000;
/** The time between two tries for the lock. Meanwhile, calls that need no lock are answered. */
const RETRY_INTERVAL_MS = 25;
/** Once this many writes are gathered, they are committed without waiting for more. */
const MAX_GATHERED_WRITES = 256;
/** Reject new writes once this many are waiting for the lock. */
const MAX_QUEUED_WRITES = 10_000;

/** The second argument of a write that need not be on the disk before it is answered. */
export const NO_FLUSH = false;

export class GroupWriter {
  readonly #db: Database;
  readonly #begin;
  readonly #commit;
  readonly #rollback;
  readonly #onCommit;
  readonly #checkFile;
  readonly #endReads;
  readonly #lockTimeoutMs: number;
  #flushesToDisk = true;
  #pending: Pending[] = [];
  #idle: (() => void)[] = [];
  #locked: Error | undefined;

  constructor(db: Database, options: GroupWriterOptions = {}) {
    const { checkFile, onCommit, endReads, lockTimeoutMs = LOCK_TIMEOUT_MS } = options;
    this.#onCommit = onCommit;
    this.#checkFile = checkFile;
    this.#endReads = endReads;
    this.#lockTimeoutMs = lockTimeoutMs;
    this.#db = db;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
  }

  /** The error of the database while writes wait for the lock of another process. */
  get locked(): Error | undefined {
    return this.#locked;
  }

  /**
   * Run `operation` (synchronous, using this database only) inside the transaction of this tick. Resolves to
   * its result once the transaction is on the disk. If no operation of the transaction is `durable`, it
   * resolves once the operating system has the data, which survives the death of the process.
   */
  write<T>(operation: () => T, durable = true): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#locked && this.#pending.length >= MAX_QUEUED_WRITES) throw this.#locked;
      if (this.#pending.length === 0) setImmediate(this.#gather, 0);
      const settle = { resolve: resolve as (value: unknown) => void, reject };
      this.#pending.push({ operation, durable, lockedSince: undefined, ...settle });
    });
  }

  /** Resolves when no write is pending. */
  settled(): Promise<void> {
    if (this.#pending.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /**
   * Wait while each tick brings more writes, then commit. A flush to the disk takes as long as many ticks.
   */
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
    // No write is waiting any more. The next one will try the lock itself.
    this.#locked = undefined;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #writeGroup(group: readonly Pending[]): void {
    let results: unknown[];
    let isChange: boolean;
    try {
      this.#endReads?.();
      // An earlier transaction may be open still, because its rollback failed.
      if (this.#db.inTransaction) this.#rollback.run();
      this.#checkFile?.();
      isChange = group.some(isDurable);
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
      // One bad operation must not fail its neighbours, so each is tried again in its own transaction.
      if (group.length > 1 && isFaultOfOne(error)) for (const single of group) this.#writeGroup([single]);
      else for (const { reject } of group) reject(error);
      return;
    }
    try {
      this.#commit.run();
      // The entry of a mere access may be missing if the file went away in this very moment.
      if (isChange) this.#checkFile?.();
    } catch (cause) {
      const error = this.#abandon(cause);
      for (const { reject } of group) reject(error);
      return;
    }
    this.#onCommit?.(group.length);
    for (let index = 0; index < group.length; index++) (group[index] as Pending).resolve(results[index]);
  }

  /** Let a group wait for the lock without blocking the event loop. Reject its overdue writes. */
  #postpone(group: readonly Pending[], error: Error): void {
    this.#locked = error;
    const now = systemClock.now();
    for (const pending of group) {
      pending.lockedSince ??= now;
      // The absolute value keeps a clock that was set back from making a write wait for ever.
      if (Math.abs(now - pending.lockedSince) < this.#lockTimeoutMs) this.#pending.push(pending);
      else pending.reject(error);
    }
  }

  /**
   * Choose whether the next COMMIT flushes to the disk. The database allows this between transactions only.
   */
  #flushToDisk(wanted: boolean): void {
    if (wanted === this.#flushesToDisk) return;
    this.#db.pragma(`synchronous = ${wanted ? 'FULL' : 'NORMAL'}`);
    this.#flushesToDisk = wanted;
  }

  /** Roll back the transaction, and return the error for its calls. */
  #abandon(cause: unknown): unknown {
    try {
      // SQLite rolls back by itself on some errors (a full disk). A second ROLLBACK would fail.
      if (this.#db.inTransaction) this.#rollback.run();
      return cause;
    } catch (error) {
      // Nothing was committed. The next group tries the rollback again.
      return troubleOf(cause) ? cause : error;
    }
  }
}

const isDurable = ({ durable }: Pending) => durable;
const resultOf = ({ operation }: Pending) => operation();

/**
 * Whether other operations of the group may succeed. If the disk fails, trying each of them makes it worse.
 */
function isFaultOfOne(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble === undefined || trouble === 'damaged';
}
