/**
 * Counts points by window in the memory of one process, with the party's clock and bounded memory. The
 * library's own store has neither.
 */
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import RateLimiterStoreAbstract from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';
import type { Clock } from '#protocol/clock.ts';
import { boundedMap } from './bounded-map.ts';

type Window = { points: number; endsAt: number };

export type WindowOptions = {
  /** How much one key may consume in one window. */
  points: number;
  /** The length of a window. */
  durationMs: number;
  clock: Clock;
  /** The most windows to remember. */
  maxKeys?: number | undefined;
};

/** A limiter of rate-limiter-flexible with its windows here. The library calls its `_` members. */
export class MemoryWindows extends RateLimiterStoreAbstract {
  readonly #windows;
  readonly #clock: Clock;

  constructor({ points, durationMs, clock, maxKeys }: WindowOptions) {
    super({ points, duration: durationMs / 1000, storeClient: undefined });
    this.#windows = boundedMap<Window>(maxKeys);
    this.#clock = clock;
  }

  /** How many windows are remembered. */
  get size(): number {
    return this.#windows.size;
  }

  async _upsert(key: string, points: number, durationMs: number, startsAnew: boolean): Promise<Window> {
    const now = this.#clock.now();
    const known = this.#windows.get(key);
    if (known && !startsAnew && isOpen(known, now, durationMs)) {
      known.points += points;
      return known;
    }
    const window = { points, endsAt: now + durationMs };
    this.#windows.put(key, window, now);
    return window;
  }

  async _get(key: string): Promise<Window | null> {
    const known = this.#windows.get(key);
    return known && isOpen(known, this.#clock.now(), this.duration * 1000) ? known : null;
  }

  async _delete(key: string): Promise<boolean> {
    return this.#windows.delete(key);
  }

  _getRateLimiterRes(_key: string, changed: number, { points, endsAt }: Window): RateLimiterRes {
    const remaining = Math.max(0, this.points - points);
    return new RateLimiterRes(remaining, endsAt - this.#clock.now(), points, points === changed);
  }
}

/**
 * A window that ends later than a new one could was opened before the clock was set back, and is not open.
 */
function isOpen({ endsAt }: Window, now: number, durationMs: number): boolean {
  return now < endsAt && endsAt - now <= durationMs;
}
