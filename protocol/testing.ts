/** What several tests of this room need: to look at a refusal, and a clock whose timers they ring themselves. */
import type { Clock } from '#protocol/clock.ts';
import { RpcError } from '#protocol/errors.ts';

export type Timer = { ms: number; wake: () => void };

/**
 * The refusal that `run` throws.
 * @throws Error when it throws nothing, and whatever else it throws
 */
export function refusalOf(run: () => unknown): RpcError {
  try {
    run();
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

/** A base whose owner sets the time and rings the timers, at any moment. */
export function recordingClock(): { base: Clock & { time: number }; timers: Timer[] } {
  const timers: Timer[] = [];
  const base = {
    time: 0,
    now: () => base.time,
    after(ms: number, wake: () => void) {
      const timer = { ms, wake };
      timers.push(timer);
      return () => {
        if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1);
      };
    },
  };
  return { base, timers };
}
