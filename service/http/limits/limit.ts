/** The rate limits that every party uses, counted by rate-limiter-flexible. */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import BurstyRateLimiter from 'rate-limiter-flexible/lib/BurstyRateLimiter.js';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { z } from 'zod';
import { MAX_BATCH } from '#protocol/wire/envelope.ts';

/** A limiter of rate-limiter-flexible. Its promise rejects with `RateLimiterRes` where points are lacking. */
export type Limit = { consume(key: string, points: number): Promise<unknown> };

/** The name of a limit, and the points of one key in each window. */
export type Counted = { name: string; points: number; durationSeconds: number };

/** Makes the counter of a limit: in memory, or in a database. */
export type Count = (counted: Counted) => RateLimiterAbstract;

export const rateLimit = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on');

/** The window in which a burst is counted. */
const BURST_WINDOW_SECONDS = 10;

/** Count in the memory of this process. A key is forgotten when its window ends. */
export function countInMemory({ name, points, durationSeconds }: Counted): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix: name, points, duration: durationSeconds });
}

/**
 * Allow `perSecond` points a second for each address, and within ten seconds twice as many beyond them, but
 * at least what a whole batch costs.
 */
export function addressLimit(perSecond: number, name: string, count: Count): Limit {
  const points = Math.max(2 * perSecond, MAX_BATCH);
  return new BurstyRateLimiter(
    count({ name, points: perSecond, durationSeconds: 1 }),
    count({ name: `${name}_burst`, points, durationSeconds: BURST_WINDOW_SECONDS }),
  );
}
