import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { BatchQueue } from './batch-queue.ts';
import { DatabaseAway, isRefusal, retrying, TransactionConflict } from './connection.ts';

/** An error as the server reports it. */
function refusal(code: string): Error {
  return Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code });
}

/** A batch queue that executes with `execute`, and the batches that it has sent. */
function queueOf(execute: (calls: readonly string[]) => Promise<string[]>, more: object = {}) {
  const groups: string[][] = [];
  const queue = new BatchQueue<string, string>({
    execute: (calls) => {
      groups.push([...calls]);
      return execute(calls);
    },
    maxUnderWay: 1,
    maxWaitMs: 60_000,
    ...more,
  });
  return { queue, groups };
}

const upper = async (calls: readonly string[]) => calls.map((call) => call.toUpperCase());

test('calls of one turn go together, each with its own result', async () => {
  const { queue, groups } = queueOf(upper);
  expect(await Promise.all(['a', 'b', 'c'].map((call) => queue.submit(call)))).toEqual(['A', 'B', 'C']);
  expect(groups).toEqual([['a', 'b', 'c']]);
});

test('what comes while all batches are under way goes together when one is free', async () => {
  const finish: (() => void)[] = [];
  const { queue, groups } = queueOf(
    (calls) => new Promise((resolve) => finish.push(() => resolve([...calls]))),
    { maxUnderWay: 2 },
  );
  const results = [queue.submit('a')];
  await expect.poll(() => groups.length).toBe(1);
  results.push(queue.submit('b'));
  await expect.poll(() => groups.length).toBe(2);
  results.push(queue.submit('c'), queue.submit('d'));
  await new Promise(setImmediate);
  expect(groups).toEqual([['a'], ['b']]);
  finish[1]?.();
  await expect.poll(() => groups.length).toBe(3);
  expect(groups[2]).toEqual(['c', 'd']);
  finish[0]?.();
  finish[2]?.();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
});

test('calls of one key never share a batch, and keep their order', async () => {
  const { queue, groups } = queueOf(upper, { keyOf: (call: string) => call[0] });
  await Promise.all(['a1', 'b1', 'a2', 'c1', 'a3', 'b2'].map((call) => queue.submit(call)));
  expect(groups).toEqual([['a1', 'b1', 'c1'], ['a2', 'b2'], ['a3']]);
});

test('a group has a largest size', async () => {
  const { queue, groups } = queueOf(upper, { keyOf: (call: string) => call });
  await Promise.all(Array.from({ length: 150 }, (_, index) => queue.submit(`call-${index}`)));
  expect(groups.map(({ length }) => length)).toEqual([64, 64, 22]);
});

test('a call that the server refuses fails alone', async () => {
  const { queue } = queueOf(async (calls) => {
    if (calls.includes('bad')) throw refusal('22003');
    return [...calls];
  });
  const outcomes = await Promise.allSettled(['a', 'b', 'bad', 'c', 'd'].map((call) => queue.submit(call)));
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
});

test('a batch that fails as a whole fails each call, untried again', async () => {
  // The outcome is unknown, the disk is full, or the statement itself is wrong.
  const codes = ['57P01', '53100', '42P22', '54023'];
  for (const error of [new DatabaseAway(), ...codes.map(refusal)]) {
    const { queue, groups } = queueOf(async () => {
      throw error;
    });
    const outcomes = await Promise.allSettled(['a', 'b'].map((call) => queue.submit(call)));
    expect(outcomes).toEqual(['a', 'b'].map(() => ({ status: 'rejected', reason: error })));
    expect(groups).toEqual([['a', 'b']]);
  }
});

test('a group that was in another’s way is tried again whole', async () => {
  const errors = [refusal('40P01'), refusal('40001'), new TransactionConflict('conflict')];
  const { queue, groups } = queueOf(async (calls) => {
    const error = errors.pop();
    if (error) throw error;
    return [...calls];
  });
  expect(await Promise.all(['a', 'b'].map((call) => queue.submit(call)))).toEqual(['a', 'b']);
  expect(groups).toEqual(Array.from({ length: 4 }, () => ['a', 'b']));
});

test('there is an end to trying again', async () => {
  let attempts = 0;
  const deadlock = refusal('40P01');
  const outcome = retrying(async () => {
    attempts++;
    throw deadlock;
  });
  await expect(outcome).rejects.toBe(deadlock);
  expect(attempts).toBe(10);
});

test('a call that has waited too long is rejected and not executed', async () => {
  const { queue, groups } = queueOf(upper, { maxWaitMs: -1 });
  await expect(queue.submit('late')).rejects.toBeInstanceOf(DatabaseAway);
  expect(groups).toEqual([]);
  await queue.settled();
});

test('only what has waited too long is rejected: what came later is executed', async () => {
  let now = Date.UTC(2026, 0, 15, 9);
  vi.spyOn(systemClock, 'now').mockImplementation(() => now);
  const finish: (() => void)[] = [];
  const { queue, groups } = queueOf(
    (calls) => new Promise((resolve) => finish.push(() => resolve([...calls]))),
  );
  const first = queue.submit('first');
  await expect.poll(() => groups.length).toBe(1);
  const late = queue.submit('late');
  now += 30_000;
  const young = queue.submit('young');
  now += 30_001;
  finish[0]?.();
  await expect(late).rejects.toBeInstanceOf(DatabaseAway);
  expect(await first).toBe('first');
  expect(groups).toEqual([['first'], ['young']]);
  finish[1]?.();
  expect(await young).toBe('young');
});

test('a new call is rejected when too many are queued', async () => {
  const { queue } = queueOf(upper);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10_001 }, (_, index) => queue.submit(`${index}`)),
  );
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect((outcomes.at(-1) as PromiseRejectedResult).reason.message).toBe(
    'Too many calls are waiting for the database.',
  );
});

test('an end of the session and a failure of the server are no refusals', () => {
  expect(['23505', '55P03', '57014', '25006'].map((code) => isRefusal(refusal(code)))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(
    ['57P01', '57P03', '08006', 'XX000', '58030', '25P03'].map((code) => isRefusal(refusal(code))),
  ).toEqual([...Array.from({ length: 6 }, () => false)]);
  expect(isRefusal(new Error('Connection terminated unexpectedly'))).toBe(false);
});
