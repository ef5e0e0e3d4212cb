import { expect, test } from 'vitest';
import type { TimeTable } from '../time/time-table.ts';
import { CodeBudget } from './code-budget.ts';

test('no minute has more codes than the server’s rate, even with slow requests', async () => {
  let now = 0;
  const time = {
    now: () => now,
    wait: async (ms: number) => {
      now += ms;
      return true;
    },
  };
  const budget = new CodeBudget(3, time as unknown as TimeTable);
  const arrived: number[] = [];
  for (let code = 0; code < 7; code++) {
    await budget.take();
    // The first one arrives late.
    arrived.push(now + (code === 0 ? 1_500 : 0));
    now += 10;
  }
  // A request that is slower still is counted from its answer.
  await budget.take();
  now += 30_000;
  arrived.push(now);
  budget.answered();
  for (let code = 0; code < 4; code++) {
    await budget.take();
    arrived.push(now);
  }
  for (const at of arrived)
    expect(arrived.filter((each) => each > at - 60_000 && each <= at).length).toBeLessThanOrEqual(3);
});
