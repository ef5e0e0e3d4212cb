/** Commits the writes of one event-loop turn together: one flush to the disk for all of them, and no promise resolves before it is done. */
import type { Database } from 'better-sqlite3';

type Pending = {
  operation: () => unknown;
  durable: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

export class GroupWriter {
  readonly #db: Database;
  readonly #begin;
  readonly #commit;
  readonly #rollback;
  readonly #committed;
  #flushesToDisk = true;
  #pending: Pending[] = [];
  #idle: (() => void)[] = [];

  /** `committed` hears how many writes each COMMIT took. */
  constructor(db: Database, committed?: (size: number) => void) {
    this.#committed = committed;
    this.#db = db;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
  }

  /**
   * Runs `operation` (synchronous, reading and writing this database only) inside the transaction of this turn, and
   * resolves to what it returned once that transaction is on the disk; where all operations of the turn are not
   * `durable`, once it is in the hands of the operating system, which keeps it when the process dies.
   */
  write<T>(operation: () => T, durable = true): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#pending.length === 0) setImmediate(() => this.#flush());
      this.#pending.push({ operation, durable, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** Resolves when nothing is waiting to be written. */
  settled(): Promise<void> {
    if (this.#pending.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #flush(): void {
    const group = this.#pending;
    this.#pending = [];
    this.#writeGroup(group);
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #writeGroup(group: Pending[]): void {
    let results: unknown[];
    try {
      this.#flushToDisk(group.some(({ durable }) => durable));
      this.#begin.run();
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    try {
      results = group.map(({ operation }) => operation());
    } catch (error) {
      this.#abandon();
      // One bad operation must not fail its neighbours: each is tried again in a transaction of its own.
      if (group.length > 1) for (const single of group) this.#writeGroup([single]);
      else group[0]?.reject(error);
      return;
    }
    try {
      this.#commit.run();
    } catch (error) {
      this.#abandon();
      for (const { reject } of group) reject(error);
      return;
    }
    this.#committed?.(group.length);
    for (const [index, { resolve }] of group.entries()) resolve(results[index]);
  }

  /** Chooses how the next COMMIT ends; the database takes the choice between transactions only. */
  #flushToDisk(wanted: boolean): void {
    if (wanted === this.#flushesToDisk) return;
    this.#db.pragma(`synchronous = ${wanted ? 'FULL' : 'NORMAL'}`);
    this.#flushesToDisk = wanted;
  }

  #abandon(): void {
    // SQLite rolls back by itself on some errors (a full disk); a second ROLLBACK would be an error of its own.
    if (this.#db.inTransaction) this.#rollback.run();
  }
}
