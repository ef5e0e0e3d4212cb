/** Makes parts of a server slow, so that requests of the same moment meet in them. */
import type { Context } from '#mock-auth-server/context.ts';

/** Delay (ms) of the slow parts: longer than the arrival of simultaneous requests takes. */
export const SLOW_PART_MS = 100;

export const slowly = (context: Context, ms = SLOW_PART_MS) =>
  new Promise<void>((resolve) => context.clock.after(ms, resolve));

/** Act after a delay; ignore a store that is closed by then. */
export function later(context: Context, ms: number, act: () => void): void {
  context.clock.after(ms, () => {
    try {
      act();
    } catch {
      // The server has stopped meanwhile, or the row is gone.
    }
  });
}
