/** A countdown on the injected clock. */
import { useEffect, useState } from 'react';
import type { Clock } from '#protocol/time/clock.ts';

/** Returns the whole seconds left until `time` (milliseconds), down to 0. Returns 0 for no `time`. */
export function useSecondsUntil(time: number | undefined, clock: Clock): number {
  const [now, setNow] = useState(() => clock.now());
  const left = time === undefined ? 0 : Math.max(0, Math.ceil((time - now) / 1000));
  useEffect(() => {
    if (left === 0) return undefined;
    return clock.after(1000, () => setNow(clock.now()));
  });
  return left;
}
