import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { Adapter } from '../../adapter/adapter.ts';
import { People } from '../people.ts';
import { TimeTable } from '../time/time-table.ts';
import { limitOf, mayBeLimit, nextCodeAt } from './code-limits.ts';

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
  const time = new TimeTable({ clock, signal, advance: async () => true });
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
