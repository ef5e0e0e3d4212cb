/** Measures for how long the kit itself stood still: a server under test must not be blamed for an EHR server that was busy. */
import type { Clock } from '#protocol/clock.ts';

/** The event loop is asked so often, in milliseconds. */
const PROBE_INTERVAL_MS = 20;

/** Shorter than this nothing of the interface notices, in milliseconds. */
const MIN_SILENCE_MS = 200;

/** Tells every silence of {@link MIN_SILENCE_MS} and more, in milliseconds. */
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
    /** Nobody is served for a while, so that nothing suffers from it. Returns how to go on. */
    pause() {
      cancel();
      return probe;
    },
    stop: () => cancel(),
  };
}
