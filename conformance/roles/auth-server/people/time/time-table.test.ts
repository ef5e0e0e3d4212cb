import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { TimeTable } from './time-table.ts';

/** A table that lists its moves of the clock, in milliseconds. */
function openTable() {
  const moves: number[] = [];
  const time = new TimeTable({
    clock: manualClock(),
    signal: new AbortController().signal,
    advance: async (ms) => moves.push(ms) > 0,
  });
  const begin = time.now();
  return { time, moves, passed: () => time.now() - begin };
}

test('time moves when everybody at work waits, and only so far as it must', async () => {
  const { time, moves, passed } = openTable();
  const [leave] = [time.enter(), time.enter()];
  const first = time.wait(1_000);
  await Promise.resolve();
  expect(moves).toEqual([]);
  leave?.();
  expect(await first).toBe(true);
  expect(moves).toEqual([1_000]);
  expect(passed()).toBe(1_000);
});

test('who may wait longer goes on together with the others', async () => {
  const { time, moves } = openTable();
  for (let worker = 0; worker < 3; worker++) time.enter();
  await Promise.all([time.wait(1_000, 500), time.wait(1_200, 500), time.wait(1_499, 500)]);
  expect(moves).toEqual([1_499]);
});

test('nobody waits longer than they may', async () => {
  const { time, moves, passed } = openTable();
  const leave = [time.enter(), time.enter(), time.enter()];
  const ended = [1_000, 2_000, 1_700].map(async (ms, index) => {
    // The second one needs the exact moment.
    await time.wait(ms, index === 1 ? 0 : 600);
    leave[index]?.();
    return passed();
  });
  expect(await Promise.all(ended)).toEqual([1_000, 2_000, 2_000]);
  expect(moves).toEqual([1_000, 1_000]);
});

test('a clock that does not move is told to all who wait for it', async () => {
  const time = new TimeTable({
    clock: manualClock(),
    signal: new AbortController().signal,
    advance: async () => false,
  });
  time.enter();
  expect(await time.wait(1_000, 500)).toBe(false);
});
