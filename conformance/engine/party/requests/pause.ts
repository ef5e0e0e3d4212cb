/** Waits on a clock, and stops early on a signal. */
import type { Clock } from '#protocol/time/clock.ts';

/** Resolves after `ms` milliseconds, or at once when the signal fires. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
