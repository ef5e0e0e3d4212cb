import { expect, test } from 'vitest';
import { manualClock } from '#protocol/clock.ts';
import { createLog } from '../log.ts';
import { addressLimit, memoryCounters } from './address-limit.ts';
import { type Consumed, type LimitOptions, openLimit } from './leases.ts';
import { MemoryWindows } from './memory-windows.ts';

const unexpected = (error: unknown) => {
  throw error;
};

/** A limit of 10 points a second on its own clock, and every amount that was fetched for it. */
function limit(options: Partial<LimitOptions> = {}) {
  const clock = manualClock();
  const fetched: number[] = [];
  const windows = new MemoryWindows({ points: 10, durationMs: 1_000, clock });
  const consume = (key: string, points: number) => {
    fetched.push(points);
    return windows.consume(key, points);
  };
  const counter = async () => ({ consume });
  const opened = openLimit({
    points: 10,
    durationMs: 1_000,
    share: 10,
    clock,
    counter,
    onFailure: unexpected,
    ...options,
  });
  return { clock, fetched, ...opened };
}

test('a key may take its points, then waits for the end of the window, and then has as many again', async () => {
  const { take, clock } = limit();
  for (let round = 0; round < 3; round++) {
    for (let point = 0; point < 10; point++) expect(await take('a', 1)).toBeUndefined();
    clock.advance(400);
    expect(await take('a', 1)).toBe(600);
    clock.advance(599);
    expect(await take('a', 1)).toBe(1);
    clock.advance(1);
  }
});

test('each key has points of its own', async () => {
  const { take } = limit();
  expect(await take('a', 10)).toBeUndefined();
  expect(await take('a', 1)).toBe(1_000);
  expect(await take('b', 10)).toBeUndefined();
});

test('more points than are left are refused as a whole, and take nothing from what is left', async () => {
  const { take } = limit();
  expect(await take('a', 8)).toBeUndefined();
  expect(await take('a', 3)).toBe(1_000);
  expect(await take('a', 11)).toBe(1_000);
  expect(await take('a', 2)).toBeUndefined();
  expect(await take('a', 1)).toBe(1_000);
});

test('as long as its share lasts a key is answered at once, and so it is when it is refused', async () => {
  const { take, fetched } = limit();
  expect(take('a', 1)).toBeInstanceOf(Promise);
  await take('a', 1);
  for (let point = 2; point < 10; point++) expect(take('a', 1)).toBeUndefined();
  expect(await take('a', 1)).toBe(1_000);
  for (let flood = 0; flood < 1_000; flood++) expect(take('a', 1)).toBe(1_000);
  expect(fetched).toEqual([10, 10]);
});

test('callers who come at the same time wait for one fetch, which brings enough for all of them', async () => {
  const { take, fetched } = limit({ share: 2 });
  const waits = await Promise.all(Array.from({ length: 30 }, () => take('a', 1)));
  expect(waits.filter((wait) => wait === undefined)).toHaveLength(10);
  expect(waits.slice(0, 10)).toEqual(new Array(10).fill(undefined));
  expect(fetched.length).toBeLessThanOrEqual(4);
});

test('processes that share a counter never grant more than the limit together, and all of it', async () => {
  const clock = manualClock();
  const windows = new MemoryWindows({ points: 100, durationMs: 1_000, clock });
  const counter = async () => windows;
  const options = { points: 100, durationMs: 1_000, share: 7, clock, counter, onFailure: unexpected };
  const processes = [openLimit(options), openLimit(options), openLimit(options)];
  let granted = 0;
  for (let request = 0; request < 300; request++) {
    for (const { take } of processes) if ((await take('a', 1)) === undefined) granted++;
  }
  expect(granted).toBe(100);
});

test('a limit that cannot count lets requests in, tells so, and counts again when it can', async () => {
  const failures: unknown[] = [];
  let broken = true;
  const clock = manualClock();
  const windows = new MemoryWindows({ points: 10, durationMs: 1_000, clock });
  const counter = async () => {
    if (broken) throw new Error('no library');
    return windows;
  };
  const { take } = limit({ clock, counter, onFailure: (error) => failures.push(error) });
  for (let request = 0; request < 30; request++) expect(await take('a', 1)).toBeUndefined();
  expect(failures).toEqual([new Error('no library'), new Error('no library'), new Error('no library')]);
  broken = false;
  clock.advance(1_000);
  expect(await take('a', 11)).toBe(1_000);
});

test('a clock that is set back does not keep anybody out for longer than a window', async () => {
  const { take, clock } = limit();
  clock.advance(3_600_000);
  expect(await take('a', 10)).toBeUndefined();
  expect(await take('a', 1)).toBe(1_000);
  clock.advance(-3_600_000);
  expect(await take('a', 10)).toBeUndefined();
  expect(await take('a', 1)).toBe(1_000);
});

test('a counter whose clock is far ahead keeps nobody out for longer than a window', async () => {
  const refusal: Consumed = { consumedPoints: 20, msBeforeNext: 3_600_000 };
  const { take } = limit({ counter: async () => ({ consume: () => Promise.reject(refusal) }) });
  expect(await take('a', 1)).toBe(1_000);
});

test('a flood of addresses in one second leaves a bounded number of them behind', async () => {
  const clock = manualClock();
  const perAddress = addressLimit(5, {
    counters: memoryCounters(clock, 1_000),
    clock,
    log: createLog('test', 'silent'),
    maxKeys: 1_000,
  });
  for (let address = 0; address < 200_000; address++) {
    const outcome = perAddress.take(`10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`, 1);
    if (address % 1_000 === 0) await outcome;
  }
  expect(perAddress.size).toBe(1_000);
  // New callers are counted as before.
  for (let call = 0; call < 105; call++) expect(await perAddress.take('192.0.2.1', 1)).toBeUndefined();
  expect(await perAddress.take('192.0.2.1', 1)).toBe(1_000);
});

test('beyond its rate an address may take a burst, and then waits for the next second', async () => {
  const clock = manualClock();
  const perAddress = addressLimit(100, { counters: memoryCounters(clock), clock, log: createLog('test', 'silent') });
  const takeAll = async () => {
    let taken = 0;
    while ((await perAddress.take('a', 1)) === undefined) taken++;
    return taken;
  };
  expect(await takeAll()).toBe(300);
  clock.advance(600);
  expect(await perAddress.take('a', 1)).toBe(400);
  clock.advance(400);
  expect(await takeAll()).toBe(100);
  clock.advance(9_000);
  expect(await takeAll()).toBe(300);
});

test('a whole batch passes at any rate, and one that is refused is told when the burst is back', async () => {
  const clock = manualClock();
  const perAddress = addressLimit(1, { counters: memoryCounters(clock), clock, log: createLog('test', 'silent') });
  expect(await perAddress.take('a', 1)).toBeUndefined();
  expect(await perAddress.take('a', 99)).toBeUndefined();
  clock.advance(2_000);
  expect(await perAddress.take('a', 99)).toBe(8_000);
  expect(await perAddress.take('a', 1)).toBeUndefined();
});
