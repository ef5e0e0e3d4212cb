import { expect, test } from 'vitest';
import { recordingClock } from '../testing.ts';
import { manualClock, movableClock } from './clock.ts';

test('a movable clock runs with its base and keeps what it was moved by', () => {
  const base = manualClock(1_000);
  const clock = movableClock(base);
  clock.advance(500);
  base.advance(20);
  expect(clock.now()).toBe(1_520);
  expect(base.now()).toBe(1_020);
});

test('an alarm of a movable clock rings once, by base or jump', () => {
  const base = manualClock(0);
  const clock = movableClock(base);
  const rung: string[] = [];
  clock.after(100, () => rung.push('by the base'));
  base.advance(99);
  expect(rung).toEqual([]);
  base.advance(1);
  clock.after(100, () => rung.push('by a jump'));
  clock.advance(99);
  expect(rung).toEqual(['by the base']);
  clock.advance(1);
  base.advance(1_000);
  expect(rung).toEqual(['by the base', 'by a jump']);
});

test('a jump of a movable clock rings in order, new alarms too', () => {
  const clock = movableClock(manualClock(0));
  const rung: string[] = [];
  clock.after(20, () => rung.push('second'));
  clock.after(10, () => {
    rung.push('first');
    clock.after(0, () => rung.push('third'));
    clock.after(1, () => rung.push('too early'));
  });
  clock.advance(50);
  expect(rung).toEqual(['first', 'second', 'third']);
});

test('an alarm of a clock moved back waits for its time again', () => {
  const base = manualClock(0);
  const clock = movableClock(base);
  const rung: number[] = [];
  clock.after(100, () => rung.push(clock.now()));
  clock.advance(-50);
  base.advance(149);
  expect(rung).toEqual([]);
  base.advance(1);
  expect(rung).toEqual([100]);
});

test('an alarm survives a base that calls a moment early', () => {
  const { base, timers } = recordingClock();
  const rung: number[] = [];
  movableClock(base).after(100, () => rung.push(base.time));
  base.time = 99;
  timers.shift()?.wake();
  expect(rung).toEqual([]);
  expect(timers).toMatchObject([{ ms: 1 }]);
  base.time = 100;
  timers.shift()?.wake();
  expect(rung).toEqual([100]);
  expect(timers).toEqual([]);
});

test('an alarm that rang or was cancelled leaves no base timer', () => {
  const { base, timers } = recordingClock();
  const clock = movableClock(base);
  let rung = 0;
  const cancel = clock.after(100, () => rung++);
  clock.after(100, () => rung++);
  expect(timers).toHaveLength(2);
  cancel();
  expect(timers).toHaveLength(1);
  clock.advance(100);
  expect(timers).toEqual([]);
  expect(rung).toBe(1);
});
