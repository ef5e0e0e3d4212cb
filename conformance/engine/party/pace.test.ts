import { expect, test } from 'vitest';
import type { Entry } from '../journal/entry.ts';
import { exchange, response } from '../journal/testing/exchanges.ts';
import { RequestBudget, watchPace } from './pace.ts';

/** Judges the pace of a server by the durations of its answers (ms). */
function paceOf(durations: readonly number[]) {
  let onEntry = (_entry: Entry): void => undefined;
  const pace = watchPace({
    onEntry(listener) {
      onEntry = listener;
      return () => undefined;
    },
  });
  for (const took of durations)
    onEntry(exchange(1, { at: 100, endedAt: 100 + took, response: response('') }));
  return pace();
}

test('a server that takes long for each answer, however many ask, merely waits', () => {
  expect(paceOf([1_001, 1_010, 1_004, 1_300, 2_900])).toBe('waits');
});

test('a busy server and one that nobody asked do not wait', () => {
  expect(paceOf([4, 5, 700, 900, 1_000])).toBe('busy');
  expect(paceOf([400, 420, 900, 900, 1_000])).toBe('busy');
  expect(paceOf([])).toBe('busy');
});

test('a server that gives most answers at once is quick', () => {
  expect(paceOf([4, 5, 50, 900, 1_000])).toBe('quick');
  expect(paceOf([4, 5, 51, 900, 1_000])).toBe('busy');
});

/** Sends requests one after the other. Returns the time (ms) of each group. */
async function sentAt(perSecond: number | undefined, groups: readonly number[]): Promise<number[]> {
  let now = 1_000;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const budget = new RequestBudget(perSecond, { now: () => now }, { sleep });
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
