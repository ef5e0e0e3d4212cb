import { expect, test } from 'vitest';
import { RequestBudget } from './request-budget.ts';

/** Sends requests one after the other. Returns the time (ms) of each group. */
async function sentAt(perSecond: number | undefined, groups: readonly number[]): Promise<number[]> {
  let now = 1_000;
  const time = {
    sleep: async (milliseconds: number) => {
      now += milliseconds;
      return true;
    },
  };
  const budget = new RequestBudget(perSecond, { now: () => now }, time);
  const sent: number[] = [];
  for (const count of groups) {
    await budget.take(count);
    sent.push(now - 1_000);
  }
  return sent;
}

test('requests are sent no faster than the rate', async () => {
  expect(await sentAt(10, [1, 1, 1, 5, 1])).toEqual([0, 100, 200, 700, 800]);
});

test('without a rate nobody waits', async () => {
  expect(await sentAt(undefined, [1, 50, 1])).toEqual([0, 0, 0]);
});
