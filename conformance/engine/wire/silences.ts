/**
 * Measures silences: times in which the event loop of the kit itself stood still, for example on a busy
 * machine. The server under test must not be blamed for the delays that they cause.
 */
import type { Clock } from '#protocol/time/clock.ts';

/** How often the event loop is probed (ms): often enough to see each silence that counts. */
const PROBE_INTERVAL_MS = 20;

/** A shorter silence (ms) does not affect any step of the interface. */
const MIN_SILENCE_MS = 200;

/** Calls `onSilence` with the length (ms) of every silence of at least {@link MIN_SILENCE_MS}. */
export function measureSilences(clock: Clock, onSilence: (took: number) => void) {
  let longest = 0;
  let cancel: () => void = () => undefined;
  const probe = () => {
    const begun = clock.now();
    cancel = clock.after(PROBE_INTERVAL_MS, () => {
      const took = clock.now() - begun - PROBE_INTERVAL_MS;
      longest = Math.max(longest, took);
      if (took >= MIN_SILENCE_MS) onSilence(took);
      probe();
    });
  };
  probe();
  return {
    /** The longest delay so far, in milliseconds. */
    longest: () => longest,
    /** Interrupts the measurement while the kit serves nobody. Returns a function that resumes it. */
    pause() {
      cancel();
      return probe;
    },
    stop: () => cancel(),
  };
}
