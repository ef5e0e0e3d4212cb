import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { measureSilences } from './silences.ts';

/** A clock whose alarms ring late, as with a busy event loop. */
function busyClock() {
  const clock = manualClock();
  const alarms: (() => void)[] = [];
  return {
    clock: {
      now: clock.now,
      after: (_ms: number, wake: () => void) => {
        alarms.push(wake);
        return () => void alarms.splice(alarms.indexOf(wake), 1);
      },
    },
    /** Rings the set alarm after this much time. */
    ring(ms: number) {
      clock.advance(ms);
      alarms.shift()?.();
    },
    alarms,
  };
}

test('a silence is the time beyond the pause; a short one is not told', () => {
  const { clock, ring, alarms } = busyClock();
  const told: number[] = [];
  const silences = measureSilences(clock, (took) => told.push(took));
  ring(20);
  ring(219);
  expect(told).toEqual([]);
  expect(silences.longest()).toBe(199);
  ring(220);
  ring(2_420);
  ring(25);
  expect(told).toEqual([200, 2_400]);
  expect(silences.longest()).toBe(2_400);
  const goOn = silences.pause();
  expect(alarms).toEqual([]);
  goOn();
  ring(25);
  expect(silences.longest()).toBe(2_400);
  silences.stop();
  expect(alarms).toEqual([]);
});
