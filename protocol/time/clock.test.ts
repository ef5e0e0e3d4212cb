import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { recordingClock } from '../testing.ts';
import { deadline, manualClock, movableClock, skewedClock, systemClock } from './clock.ts';

test('a manual clock stands still until it is moved', () => {
  const clock = manualClock(1_000);
  expect(clock.now()).toBe(1_000);
  clock.advance(250);
  expect(clock.now()).toBe(1_250);
  clock.advance(-1_250);
  expect(clock.now()).toBe(0);
});

test('a manual clock rings alarms by time, equal ones in order', () => {
  const clock = manualClock(0);
  const rung: string[] = [];
  for (const [name, ms] of [
    ['c', 30],
    ['a', 10],
    ['b', 20],
    ['a too', 10],
    ['late', 31],
  ] as const)
    clock.after(ms, () => rung.push(`${name}@${clock.now()}`));
  clock.advance(30);
  expect(rung).toEqual(['a@10', 'a too@10', 'b@20', 'c@30']);
  expect(clock.now()).toBe(30);
});

test('an alarm set by an alarm rings in the same jump', () => {
  const clock = manualClock(0);
  const at: number[] = [];
  const tick = () => {
    at.push(clock.now());
    clock.after(10, tick);
  };
  clock.after(10, tick);
  clock.advance(35);
  expect(at).toEqual([10, 20, 30]);
});

test('a cancelled alarm is silent, even when another cancels it', () => {
  const clock = manualClock(0);
  const rung: string[] = [];
  clock.after(5, () => rung.push('cancelled before'))();
  const cancels: (() => void)[] = [];
  clock.after(5, () => cancels.pop()?.());
  cancels.push(clock.after(6, () => rung.push('cancelled on the way')));
  clock.advance(10);
  expect(rung).toEqual([]);
});

test('an alarm keeps its time when time is moved back', () => {
  const clock = manualClock(1_000);
  const rung: number[] = [];
  clock.after(100, () => rung.push(clock.now()));
  clock.advance(-500);
  clock.advance(599);
  expect(rung).toEqual([]);
  clock.advance(1);
  expect(rung).toEqual([1_100]);
});

test('an alarm that moves the clock is not undone by its jump', () => {
  const clock = manualClock(0);
  clock.after(5, () => clock.advance(100));
  clock.advance(10);
  expect(clock.now()).toBe(105);
});

test('an alarm due at once rings without time passing', () => {
  const clock = manualClock(0);
  clock.after(0, () => clock.advance(10));
  clock.advance(0);
  expect(clock.now()).toBe(10);
});

test('whatever is set, cancelled and moved, a manual clock rings exactly what is due', () => {
  const step = fc.oneof(
    fc.record({ set: fc.integer({ min: -5, max: 50 }) }),
    fc.record({ move: fc.integer({ min: 0, max: 40 }) }),
    fc.record({ cancel: fc.nat(20) }),
  );
  fc.assert(fc.property(fc.array(step, { maxLength: 40 }), (steps) => watch(steps)));
});

test('a skewed clock shows a wrong time, and rings on time', () => {
  const base = manualClock(1_000);
  const clock = skewedClock(base, -300);
  let rung = 0;
  expect(clock.now()).toBe(700);
  const cancel = clock.after(10, () => rung++);
  clock.after(10, () => rung++);
  cancel();
  base.advance(9);
  expect(rung).toBe(0);
  base.advance(1);
  expect(rung).toBe(1);
});

test('a deadline aborts with its reason when its time has passed, and not before', () => {
  const clock = manualClock();
  const { signal } = deadline(clock, 5_000, new Error('too slow'));
  clock.advance(4_999);
  expect(signal.aborted).toBe(false);
  clock.advance(1);
  expect(signal.reason).toEqual(new Error('too slow'));
});

test('a cancelled deadline never aborts', () => {
  const clock = manualClock();
  const { signal, cancel } = deadline(clock, 5_000, new Error('too slow'));
  cancel();
  clock.advance(10_000);
  expect(signal.aborted).toBe(false);
});

type ClockStep = { set: number } | { move: number } | { cancel: number };
type Watched = { at: number; state: 'set' | 'rung' | 'cancelled'; cancel?: () => void };

/** Take the steps. Check that each alarm that rings is due, and that none due is left after each move. */
function watch(steps: ClockStep[]): void {
  const clock = manualClock(0);
  const alarms: Watched[] = [];
  const set = (ms: number) => {
    const alarm: Watched = { at: clock.now() + Math.max(0, ms), state: 'set' };
    alarm.cancel = clock.after(ms, () => {
      expect([alarm.state, clock.now()]).toEqual(['set', alarm.at]);
      alarm.state = 'rung';
    });
    alarms.push(alarm);
  };
  const cancel = (alarm: Watched | undefined) => {
    alarm?.cancel?.();
    if (alarm?.state === 'set') alarm.state = 'cancelled';
  };
  for (const step of steps) {
    if ('set' in step) set(step.set);
    else if ('cancel' in step) cancel(alarms[step.cancel]);
    else clock.advance(step.move);
    if ('move' in step)
      expect(alarms.filter(({ at, state }) => state === 'set' && at <= clock.now())).toEqual([]);
  }
}

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
