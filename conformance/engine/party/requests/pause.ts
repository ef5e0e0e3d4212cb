/** Lets a run of the kit wait on its clock, and stop waiting when the run is broken off. */
import type { Clock } from '#protocol/time/clock.ts';

/** Resolves after `ms` milliseconds, or at once when the signal is aborted. Never rejects. */
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
