/** Helpers for the tests of this room: catch a refusal, and a clock whose timers the test fires itself. */
import type { Clock } from './time/clock.ts';
import { RpcError } from './wire/errors.ts';

export type Timer = { ms: number; wake: () => void };

/**
 * Return the refusal that `run` throws.
 * @throws Error when it throws nothing, or the error that is no refusal
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

/** A base clock whose owner sets the time and fires the timers at any moment. */
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
