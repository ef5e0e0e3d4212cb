import { expect, test, vi } from 'vitest';
import { recordingClock } from '../testing.ts';
import { systemClock } from './clock.ts';

/** The longest timeout of the platform's timers: 31 bits. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

test('the system clock tells the time of the machine', () => {
  vi.spyOn(Date, 'now').mockReturnValue(1_234);
  expect(systemClock.now()).toBe(1_234);
});

test('the system clock waits longer than one timer can, in several', () => {
  const timers = stubTimers();
  let rung = 0;
  systemClock.after(2 * MAX_TIMEOUT_MS + 7, () => rung++);
  expect(timers.waiting).toMatchObject([{ ms: MAX_TIMEOUT_MS }]);
  timers.ringNext();
  expect(timers.waiting).toMatchObject([{ ms: MAX_TIMEOUT_MS }]);
  timers.ringNext();
  expect(timers.waiting).toMatchObject([{ ms: 7 }]);
  expect(rung).toBe(0);
  timers.ringNext();
  expect([rung, timers.waiting]).toEqual([1, []]);
});

test('the system clock takes times of one timer, and negatives as none', () => {
  const timers = stubTimers();
  let rung = 0;
  for (const ms of [MAX_TIMEOUT_MS, 0, -5]) systemClock.after(ms, () => rung++);
  expect(timers.waiting.map(({ ms }) => ms)).toEqual([MAX_TIMEOUT_MS, 0, 0]);
  for (let left = 3; left > 0; left--) timers.ringNext();
  expect(rung).toBe(3);
});

test('a long wait can be cancelled in any of its timers', () => {
  const timers = stubTimers();
  const cancel = systemClock.after(MAX_TIMEOUT_MS + 1, () => {
    throw new Error('A cancelled alarm rang.');
  });
  timers.ringNext();
  cancel();
  expect(timers.waiting).toEqual([]);
});

/** Replace the platform's timers, and refuse timeouts for which they would fire at once. */
function stubTimers() {
  const { base, timers } = recordingClock();
  const cancels = new Map<number, () => void>();
  vi.stubGlobal('setTimeout', (wake: () => void, ms: number) => {
    if (ms > MAX_TIMEOUT_MS) throw new RangeError('The platform would ring this timer at once.');
    cancels.set(cancels.size + 1, base.after(ms, wake));
    return cancels.size;
  });
  vi.stubGlobal('clearTimeout', (handle: number) => cancels.get(handle)?.());
  return { waiting: timers, ringNext: () => timers.shift()?.wake() };
}
