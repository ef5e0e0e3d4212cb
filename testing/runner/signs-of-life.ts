/** Finds a test that hangs: nothing happens in it any more, however long it has taken so far. */
import type { Clock } from '#protocol/time/clock.ts';

/** A PostgreSQL server starts in this time on a machine eight times slower: the longest silent step. */
export const SILENCE_SECONDS = 120;

/** How long a test may go round in a circle, in which things happen without end. */
export const CIRCLE_SECONDS = 900;

/** Silence is counted in slices, so that a machine that slept for an hour has not been silent for an hour. */
const SLICES = 12;
const SLICE_MS = (SILENCE_SECONDS / SLICES) * 1_000;
const SLICES_OF_CIRCLE = (CIRCLE_SECONDS / SILENCE_SECONDS) * SLICES;

export const HANGS = `Time-out: nothing happened for ${SILENCE_SECONDS} s, no step and no message.`;
export const CIRCLES = `Time-out: the same went on for ${CIRCLE_SECONDS} s without an end.`;

let signs = 0;

/** Notes that something happens: a step, or bytes between two parties. */
export function signOfLife(): void {
  signs++;
}

export function signsOfLife(): number {
  return signs;
}

/** Calls `onHang`, with a sentence, once a test hangs. Returns how to stop watching. */
export function watchSilence(clock: Clock, onHang: (sentence: string) => void): () => void {
  let seen = signs;
  let silent = 0;
  let all = 0;
  let cancel: () => void;
  const listen = () => {
    cancel = clock.after(SLICE_MS, () => {
      all++;
      silent = signs === seen ? silent + 1 : 0;
      seen = signs;
      if (silent === SLICES) onHang(HANGS);
      else if (all === SLICES_OF_CIRCLE) onHang(CIRCLES);
      else listen();
    });
  };
  listen();
  return () => cancel();
}

export async function endedBySilence(clock: Clock, run: () => unknown): Promise<void> {
  let forget: (() => void) | undefined;
  const silence = new Promise<never>((_, reject) => {
    forget = watchSilence(clock, (sentence) => reject(new Error(sentence)));
  });
  try {
    await Promise.race([run(), silence]);
  } finally {
    forget?.();
  }
}
