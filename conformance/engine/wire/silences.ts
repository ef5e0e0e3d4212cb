/** Measures how long the kit itself stood still: the server under test is not blamed for the kit's delays. */
import type { Clock } from '#protocol/time/clock.ts';

/** How often (ms) the event loop is probed. */
const PROBE_INTERVAL_MS = 20;

/** Shorter delays (ms) do not affect any step of the interface. */
const MIN_SILENCE_MS = 200;

/** Reports every silence of at least {@link MIN_SILENCE_MS}, in milliseconds. */
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
    /** In milliseconds. */
    longest: () => longest,
    /** Stops the measurement while the kit does not serve. Returns a function that resumes it. */
    pause() {
      cancel();
      return probe;
    },
    stop: () => cancel(),
  };
}
