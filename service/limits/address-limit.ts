/** The rate limits that every party uses: a steady rate for each client address, and a burst beyond it. */
import { z } from 'zod';
import type { Clock } from '#protocol/clock.ts';
import { MAX_BATCH } from '#protocol/envelope.ts';
import type { Log } from '../log.ts';
import { type Counter, type Limit, openLimit, withBurst } from './leases.ts';

/** The name of a counter, and its points in each window. */
export type Counted = { name: string; points: number; durationMs: number };

/** Where points are counted: in this process, or for several processes together. */
export type Counters = {
  open: (counted: Counted) => Promise<Counter>;
  /** Whether processes share the counters. Then none may take more than a share of a window at a time. */
  shared: boolean;
};

export type LimitParts = {
  counters: Counters;
  clock: Clock;
  log: Log;
  /** The most addresses or tokens to remember. */
  maxKeys?: number;
};

export const rateLimit = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on');

/** The window in which a burst is counted. */
const BURST_WINDOW_MS = 10_000;
/** A process with shared counters uses up a window by fetching this many shares. */
const SHARES_PER_WINDOW = 20;

/** Create counters in the memory of this process. The library loads slowly, so the first request loads it. */
export function memoryCounters(clock: Clock, maxKeys?: number): Counters {
  return {
    shared: false,
    open: async ({ points, durationMs }) => {
      const { MemoryWindows } = await import('./memory-windows.ts');
      return new MemoryWindows({ points, durationMs, clock, maxKeys });
    },
  };
}

/** Open a limit that is counted in `counters`. */
export function limitOf(counted: Counted, { counters, clock, log, maxKeys }: LimitParts): Limit {
  const { name, points, durationMs } = counted;
  return openLimit({
    points,
    durationMs,
    share: counters.shared ? Math.ceil(points / SHARES_PER_WINDOW) : points,
    clock,
    maxKeys,
    counter: () => counters.open(counted),
    onFailure: (err) => log.error({ err, limit: name }, 'requests could not be counted, and were let in'),
  });
}

/**
 * Allow `perSecond` points a second for each address, and within ten seconds twice as many beyond them, but
 * at least what a whole batch costs.
 */
export function addressLimit(perSecond: number, parts: LimitParts): Limit {
  const steady = limitOf({ name: 'address', points: perSecond, durationMs: 1_000 }, parts);
  const points = Math.max(2 * perSecond, MAX_BATCH);
  return withBurst(steady, limitOf({ name: 'address_burst', points, durationMs: BURST_WINDOW_MS }, parts));
}
