/** Finds a test that hangs: nothing happens in it any more, however long it has taken so far. */
import type { Clock } from '#protocol/time/clock.ts';

/**
 * How long nothing may happen. On a machine that is eight times slower a PostgreSQL server still starts in
 * this time, which is the longest step without a message.
 */
export const SILENCE_SECONDS = 120;

/** Silence is counted in slices, so that a machine that slept for an hour has not been silent for an hour. */
const SLICES = 12;
const SLICE_MS = (SILENCE_SECONDS / SLICES) * 1_000;

export const HANGS = `Time-out: nothing happened for ${SILENCE_SECONDS} s, no step and no message.`;

let signs = 0;

/** Notes that something happens: a step, or bytes between two parties. */
export function signOfLife(): void {
  signs++;
}

/** The number of signs so far. */
export function signsOfLife(): number {
  return signs;
}

/** Calls `onSilence` once nothing has happened for so long. Returns how to stop watching. */
export function watchSilence(clock: Clock, onSilence: () => void): () => void {
  let seen = signs;
  let silent = 0;
  let cancel: () => void;
  const listen = () => {
    cancel = clock.after(SLICE_MS, () => {
      silent = signs === seen ? silent + 1 : 0;
      seen = signs;
      if (silent < SLICES) listen();
      else onSilence();
    });
  };
  listen();
  return () => cancel();
}

/** Runs a test. Rejects when it hangs. */
export async function endedBySilence(clock: Clock, run: () => unknown): Promise<void> {
  let forget: (() => void) | undefined;
  const silence = new Promise<never>((_, reject) => {
    forget = watchSilence(clock, () => reject(new Error(HANGS)));
  });
  try {
    await Promise.race([run(), silence]);
  } finally {
    forget?.();
  }
}
