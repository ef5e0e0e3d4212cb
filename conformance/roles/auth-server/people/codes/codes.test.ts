import { expect, test } from 'vitest';
import { manualClock, systemClock } from '#protocol/time/clock.ts';
import { openRecorder } from '../../../../engine/journal/testing/exchanges.ts';
import type { Adapter } from '../../adapter/adapter.ts';
import { Driver, type DriverParts, type User } from '../driver.ts';
import { patientNumber } from '../patients.ts';
import { People } from '../people.ts';
import { ServerClock } from '../time/server-clock.ts';
import { CodeBudget } from './code-budget.ts';
import { limitOf, mayBeLimit, nextCodeAt } from './code-limits.ts';

/**
 * A driver that counts: `taken`, codes taken of the server's rate; `requested`, requests for a code;
 * `budget.taken`, what was taken of the budget of requests.
 */
function openDriver({ asksForMessages = false } = {}) {
  const seen = { taken: 0, requested: 0 };
  const budget = { taken: 0 };
  const adapter = {
    asksForMessages,
    has: () => true,
    async perform() {
      seen.requested++;
      return { kind: 'done', values: {} };
    },
    messagesTo: async () => 0,
    codeFor: async () => undefined,
  };
  const codes = { take: async () => void seen.taken++, answered: () => undefined };
  const parts = {
    adapter,
    codes,
    recorder: openRecorder(),
    clock: systemClock,
    people: { codeSentTo: () => undefined },
    time: { now: () => systemClock.now() },
    found: {},
    requests: { take: async () => void budget.taken++ },
    signal: new AbortController().signal,
    stepTimeoutMs: 5_000,
  };
  return { driver: new Driver(parts as unknown as DriverParts, { id: 'test' }), seen, budget };
}

const user: User = { name: 'Ann', phone: '79995550001', patient: patientNumber(0) };
const label = { scenario: 'test', label: 'test' };

test('each request for a code takes one code of the rate', async () => {
  const { driver, seen } = openDriver();
  await driver.perform(user, 'requestOtp', label);
  expect(seen).toEqual({ taken: 1, requested: 1 });
  await driver.codes.request(user, label);
  expect(seen).toEqual({ taken: 2, requested: 2 });
});

test('a request takes what was reserved, and nothing more', async () => {
  const { driver, seen } = openDriver();
  await driver.codes.reserve(2);
  await driver.perform(user, 'requestOtp', label);
  await driver.codes.request(user, label);
  expect(seen).toEqual({ taken: 2, requested: 2 });
});

test('looks into an outbox count as requests, those into the kit’s inbox do not', async () => {
  for (const asksForMessages of [true, false]) {
    const { driver, budget } = openDriver({ asksForMessages });
    await driver.codes.request(user, label);
    // The request; in an outbox also looks for the messages before, the code, and the messages after.
    expect(budget.taken).toBe(asksForMessages ? 4 : 1);
  }
});

const DAY_MS = 86_400_000;

test('a phone waits for the pause, and for tomorrow after a day’s codes', () => {
  const pauseMs = 30_000;
  expect(nextCodeAt([], { pauseMs, perDay: 10 })).toBe(0);
  expect(nextCodeAt([1_000], { pauseMs, perDay: undefined })).toBe(31_000);
  expect(nextCodeAt([1_000], { pauseMs, perDay: 10 })).toBe(31_000);
  expect(nextCodeAt([1_000, 2_000], { pauseMs, perDay: 10 })).toBe(DAY_MS + 1_001);
  expect(nextCodeAt([1_000], { pauseMs, perDay: 3 })).toBe(DAY_MS + 1_001);
});

/** Explains a refusal after codes of these ages (ms), to the phone itself and to another one. */
function explained(own: readonly number[], others: readonly number[], perDay?: number) {
  const clock = manualClock();
  const { signal } = new AbortController();
  const time = new ServerClock({ clock, signal, advance: async () => true });
  const people = new People({ phone: String, count: 4 });
  for (const age of own) people.codeSentTo('0', clock.now() - age);
  for (const age of others) people.codeSentTo('1', clock.now() - age);
  return limitOf('0', { people, time, adapter: { settings: { otp: { perDay } } } as Adapter }, 30_000);
}

test('a refusal after many codes a minute names the limit by address', () => {
  const recent = [50_000, 40_000, 30_000, 20_000, 10_000];
  expect(explained([], recent)).toBe(
    'the server limits codes by address: state otp.perMinute in the adapter file',
  );
  expect(explained([], recent.slice(1))).toBeUndefined();
  expect(
    explained(
      [],
      recent.map((age) => age + 60_000),
    ),
  ).toBeUndefined();
  expect(explained([10_000], recent), 'the pause of the phone explains it').toBeUndefined();
});

test('a refusal after many codes to one phone names the day’s limit', () => {
  const hours = [1, 2, 3, 4, 5].map((hour) => hour * 3_600_000).reverse();
  expect(explained(hours, [])).toMatch(
    /^the server limits the codes of a day to one phone: state otp.perDay/,
  );
  expect(explained(hours, [], 10)).toBeUndefined();
});

test('a refusal counts as a limit by its status or words alone', () => {
  const refused = (status: number, reason?: string) =>
    mayBeLimit({ kind: 'refused', status, ...(reason && { reason }) });
  expect(refused(429)).toBe(true);
  expect(refused(200, 'otp_refused')).toBe(true);
  expect(refused(403, 'Too many codes')).toBe(true);
  expect(refused(403, 'This person is in no register here.')).toBe(false);
  expect(refused(404)).toBe(false);
});

test('no minute has more codes than the server’s rate, even with slow requests', async () => {
  let now = 0;
  const time = {
    now: () => now,
    wait: async (ms: number) => {
      now += ms;
      return true;
    },
  };
  const budget = new CodeBudget(3, time as unknown as ServerClock);
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
