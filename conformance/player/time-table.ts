/** Time that scenarios let pass while they run side by side: the clock of the server under test moves for all of them at once. */

import { setMaxListeners } from 'node:events';
import type { Clock } from '#protocol/clock.ts';

export type TimeTableParts = {
  clock: Clock;
  /** Moves the clock of the server under test forward; undefined where that cannot be done, and time passes by itself. */
  advance: ((milliseconds: number) => Promise<boolean>) | undefined;
  signal: AbortSignal;
};

/** Waits until `at`, and goes on as well at any moment up to `latest`. */
type Waiter = { at: number; latest: number; resolve: (passed: boolean) => void };

/**
 * Moves time only when everybody who is at work waits for it, and then not beyond the moment that suits all of them:
 * nobody's code or session runs out while they use it, and who can go on together does.
 */
export class TimeTable {
  readonly #parts: TimeTableParts;
  readonly #waiters = new Set<Waiter>();
  #atWork = 0;
  #offset = 0;
  #isMoving = false;

  constructor(parts: TimeTableParts) {
    this.#parts = parts;
    // All scenarios may wait at the same moment.
    setMaxListeners(0, parts.signal);
  }

  /** The time of the server under test as far as it is known here, in milliseconds. */
  now(): number {
    return this.#parts.clock.now() + this.#offset;
  }

  get canAdvance(): boolean {
    return this.#parts.advance !== undefined;
  }

  /** Somebody begins to work; time stands still for them until they wait or leave. Returns how to leave. */
  enter(): () => void {
    this.#atWork++;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#atWork--;
      void this.#moveWhenDue();
    };
  }

  /**
   * Waits until so much time has passed for the server under test.
   * @param slackMs so much more may pass, where that saves the others another wait
   * @returns false when it could not be made to pass
   */
  wait(milliseconds: number, slackMs = 0): Promise<boolean> {
    if (milliseconds <= 0) return Promise.resolve(true);
    if (!this.#parts.advance) return this.sleep(milliseconds);
    return new Promise((resolve) => {
      const at = this.now() + milliseconds;
      this.#waiters.add({ at, latest: at + slackMs, resolve });
      void this.#moveWhenDue();
    });
  }

  /** Somebody at work waits for somebody else's work: time may pass meanwhile. */
  async idleUntil<T>(others: Promise<T>): Promise<T> {
    this.#atWork--;
    void this.#moveWhenDue();
    try {
      return await others;
    } finally {
      this.#atWork++;
    }
  }

  async #moveWhenDue(): Promise<void> {
    if (this.#isMoving || this.#waiters.size === 0 || this.#waiters.size < this.#atWork) return;
    this.#isMoving = true;
    const latest = Math.min(...[...this.#waiters].map((waiter) => waiter.latest));
    // No further than the last of those who go on.
    const next = Math.max(...[...this.#waiters].map(({ at }) => at).filter((at) => at <= latest));
    const missing = Math.max(0, next - this.now());
    const moved = missing === 0 || (await this.#parts.advance?.(missing).catch(() => false)) === true;
    if (moved) this.#offset += missing;
    this.#isMoving = false;
    for (const waiter of [...this.#waiters]) {
      if (moved && waiter.at > this.now()) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(moved);
    }
  }

  /** Waits in real time; ends early when the run is broken off. */
  sleep(milliseconds: number): Promise<boolean> {
    const { clock, signal } = this.#parts;
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        signal.removeEventListener('abort', done);
        resolve(true);
      };
      const cancel = clock.after(milliseconds, done);
      signal.addEventListener('abort', done);
    });
  }
}
