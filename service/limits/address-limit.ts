/** The limits as every party opens them: a steady rate for each client address, and a burst beyond it. */
import { z } from 'zod';
import type { Clock } from '#protocol/clock.ts';
import { MAX_BATCH } from '#protocol/envelope.ts';
import type { Log } from '../log.ts';
import { type Counter, type Limit, openLimit, withBurst } from './leases.ts';

/** What is counted under one name. */
export type Counted = { name: string; points: number; durationMs: number };

/** Where windows are counted: in this process, or for several processes together. */
export type Counters = {
  open: (counted: Counted) => Promise<Counter>;
  /** Whether other processes count along; then no process may take more than a part of a window at a time. */
  shared: boolean;
};

export type LimitParts = {
  counters: Counters;
  clock: Clock;
  log: Log;
  /** Addresses or tokens remembered at the same time. */
  maxKeys?: number;
};

export const rateLimit = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on');

/** A burst is counted in windows of this many milliseconds. */
const BURST_WINDOW_MS = 10_000;
/** How many times a process that shares its counters has to ask for more until a window is used up. */
const SHARES_PER_WINDOW = 20;

/** Counters in the memory of this process. The library is loaded when the first request is counted: it takes its time. */
export function memoryCounters(clock: Clock, maxKeys?: number): Counters {
  return {
    shared: false,
    open: async ({ points, durationMs }) => {
      const { MemoryWindows } = await import('./memory-windows.ts');
      return new MemoryWindows({ points, durationMs, clock, maxKeys });
    },
  };
}

/** A limit that is counted as `counters` does it. */
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
 * `perSecond` points a second for each address, and within ten seconds as many as two seconds' worth beyond them: never
 * less than a whole batch costs.
 */
export function addressLimit(perSecond: number, parts: LimitParts): Limit {
  const steady = limitOf({ name: 'address', points: perSecond, durationMs: 1_000 }, parts);
  const points = Math.max(2 * perSecond, MAX_BATCH);
  return withBurst(steady, limitOf({ name: 'address_burst', points, durationMs: BURST_WINDOW_MS }, parts));
}
