import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { ScenarioTime } from './scenario-time.ts';
import { TimeTable } from './time-table.ts';

test('the clock moves only when every part of a scenario waits', async () => {
  const moves: number[] = [];
  const { signal } = new AbortController();
  const time = new TimeTable({ clock: manualClock(), signal, advance: async (ms) => moves.push(ms) > 0 });
  const timeParts = { time, signal } as ConstructorParameters<typeof ScenarioTime>[0];
  const [scenario, beside] = ['parts', 'beside'].map((id) => new ScenarioTime(timeParts, id));
  for (const each of [scenario, beside]) each?.beginWork();
  const wait = () => scenario?.advance(1_000) ?? Promise.resolve(false);
  const parts = scenario?.together([wait, wait]);
  // Longer than any chain of promises takes.
  await new Promise(setImmediate);
  expect(moves).toEqual([]);
  expect(await beside?.advance(1_000)).toBe(true);
  expect(await parts).toEqual([true, true]);
  expect(moves).toEqual([1_000]);
});
