import { expect, test } from 'vitest';
import { SettingsError } from '#service/process/command-line/settings.ts';
import { readDay, readReason } from './given.ts';

test('a reason loses the blanks around it, and nothing else', () => {
  expect(readReason('--reason', '  waits, until: "then" # 12 ')).toBe('waits, until: "then" # 12');
});

test.each([
  ['nothing', ' ', '--reason must say why the failures are accepted; it is empty.'],
  [
    'a line break',
    'one\ntwo',
    '--reason must be one line, without tabs and other control characters; given was "one\\ntwo".',
  ],
  ['a line separator', 'one\u2028two', '--reason must be one line'],
  [
    'a day',
    'ticket 12, until 2027-03-31',
    '--reason must not say ", until": the day is given apart; given was "ticket 12, until 2027-03-31".',
  ],
  ['a whole book', 'x'.repeat(501), '--reason must have at most 500 characters.'],
])('%s is refused as a reason, with what to do', (_what, text, message) => {
  expect(() => readReason('--reason', text)).toThrow(message);
  expect(() => readReason('--reason', text)).toThrow(SettingsError);
});

const day = (text: string) => readDay('--until', text, '2026-01-15');

test('a day may be today, and is taken in any digits', () => {
  expect(['2026-01-15', ' 2027-03-31 ', '２０２７‑03‑31'].map(day)).toEqual([
    ...['2026-01-15', '2027-03-31', '2027-03-31'],
  ]);
});

test.each([
  [
    'yesterday',
    '2026-01-14',
    '--until must not have passed: today is 2026-01-15, and given was "2026-01-14".',
  ],
  ['another notation', '31.03.2028', '--until must be a day, such as 2028-03-31; given was "31.03.2028".'],
  ['a release', 'release 5', '--until must be a day, such as 2027-03-31; given was "release 5".'],
  ['a day that does not exist', '2027-02-30', '--until must be a day, such as 2027-03-31'],
  ['nothing', '', '--until must be a day'],
])('%s is refused as a last day, with what to do', (_what, text, message) => {
  expect(() => day(text)).toThrow(message);
  expect(() => day(text)).toThrow(SettingsError);
});
