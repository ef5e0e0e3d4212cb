/** The rate limits that every party uses, counted by rate-limiter-flexible, and their settings. */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import BurstyRateLimiter from 'rate-limiter-flexible/lib/BurstyRateLimiter.js';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { z } from 'zod';
import { MAX_BATCH } from '#protocol/wire/envelope.ts';
import { wholeNumber } from '../../process/command-line/settings.ts';
import { networks } from './client-address.ts';

/** A limiter of rate-limiter-flexible. Its promise rejects with `RateLimiterRes` where points are lacking. */
export type Limit = { consume(key: string, points: number): Promise<unknown> };

/** The name of a limit, and the points of one key in each window. */
type Counted = { name: string; points: number; durationSeconds: number };

/** Makes the counter of a limit: in memory, or in a database. */
export type Count = (counted: Counted) => RateLimiterAbstract;

const rateLimit = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on');

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

/** The settings that both servers have. `prefix` begins their environment variables. */
export const addressLimitSettings = (prefix: string) => ({
  rateLimit: {
    flag: '--rate-limit <rule>',
    env: `${prefix}_RATE_LIMIT`,
    default: 'on',
    schema: rateLimit,
    help: 'whether requests are limited: on, or off for load tests',
  },
  ratePerAddress: {
    flag: '--rate-per-address <number>',
    env: `${prefix}_RATE_PER_ADDRESS`,
    default: '200',
    schema: wholeNumber(1, 1_000_000),
    help: 'calls a second of one client address, or of one /64 network of IPv6; a moment may take more',
  },
});

export const trustedProxiesSetting = (prefix: string) => ({
  flag: '--trusted-proxies <list>',
  env: `${prefix}_TRUSTED_PROXIES`,
  default: '',
  schema: networks,
  help: 'addresses and networks of the proxies whose X-Forwarded-For is believed, comma-separated',
});
