import { expect, test } from 'vitest';
import { readDuration, writeDuration } from './duration.ts';

test('a duration is read to the millisecond', () => {
  expect(readDuration('9m59.999s')).toBe(599_999);
  expect(readDuration('10m')).toBe(600_000);
  expect(readDuration('1d12h')).toBe(129_600_000);
  expect(readDuration('1h30m5s250ms')).toBe(5_405_250);
  expect(readDuration('0.001s')).toBe(1);
  expect(readDuration('0s')).toBe(0);
});

test('what is no duration is not read', () => {
  for (const text of ['', '10', 'm', '10 m', '-10m', '10min', '5s10m', '5s5s', '1.m', 'ten minutes', '1e3s'])
    expect(readDuration(text), text).toBeUndefined();
});

test('a duration is written as it is read, to the second', () => {
  for (const text of ['1d12h', '10m', '366d', '1h30m5s', '0s'])
    expect(writeDuration(readDuration(text) ?? Number.NaN)).toBe(text);
  expect(writeDuration(59_999)).toBe('1m');
});
