/** The clock of the server under test, moved only while all scenarios wait. */
import { setMaxListeners } from 'node:events';
import type { Clock } from '#protocol/time/clock.ts';

type ServerClockParts = {
  clock: Clock;
  /** Moves the clock of the server under test forward; undefined where it runs by itself. */
  advance: ((milliseconds: number) => Promise<boolean>) | undefined;
  signal: AbortSignal;
};

/** A worker that waits until the moment `at` (ms), and may continue at any moment up to `latest`. */
type Waiter = { at: number; latest: number; resolve: (passed: boolean) => void };

/** Moves time when all workers wait, to a moment that suits all: nothing in use expires. */
export class ServerClock {
  readonly #parts: ServerClockParts;
  readonly #waiters = new Set<Waiter>();
  /** How many workers there are, those included that wait here for time. */
  #atWork = 0;
  /** How far (ms) the clock of the server under test was moved so far. */
  #offset = 0;
  #isMoving = false;

  constructor(parts: ServerClockParts) {
    this.#parts = parts;
    // All scenarios may wait at the same moment.
    setMaxListeners(0, parts.signal);
  }

  /** The time (ms since 1970) that the server under test has, as far as the kit knows. */
  now(): number {
    return this.#parts.clock.now() + this.#offset;
  }

  get canAdvance(): boolean {
    return this.#parts.advance !== undefined;
  }

  /** Registers a worker: time stands still until it waits or leaves, by the returned function. */
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

  /** Waits until so much has passed. `slackMs` more may pass. False: time could not be moved. */
  wait(milliseconds: number, slackMs = 0): Promise<boolean> {
    if (milliseconds <= 0) return Promise.resolve(true);
    if (!this.#parts.advance) return this.sleep(milliseconds);
    return new Promise((resolve) => {
      const at = this.now() + milliseconds;
      this.#waiters.add({ at, latest: at + slackMs, resolve });
      void this.#moveWhenDue();
    });
  }

  /** Moves the clock once every worker waits for time, and wakes the workers whose moment has come. */
  async #moveWhenDue(): Promise<void> {
    if (this.#isMoving || this.#waiters.size === 0 || this.#waiters.size < this.#atWork) return;
    this.#isMoving = true;
    const latest = Math.min(...[...this.#waiters].map((waiter) => waiter.latest));
    // The latest moment that all continuing workers accept.
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
