import { expect, test } from 'vitest';
import { median, medianRatio, percentile, summarise } from './statistics.ts';

test('the median is the middle value, or the mean of the two middle ones', () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([9, 10, 100])).toBe(10);
  expect(median([7])).toBe(7);
});

test('a percentile lies between its neighbours', () => {
  expect(percentile([0, 10], 0.25)).toBe(2.5);
  expect(percentile(Float32Array.from([1, 2, 3, 4, 5]), 1)).toBe(5);
  expect(percentile([1, 2, 3, 4, 5], 0)).toBe(1);
});

test('summing up leaves the measurements as they are', () => {
  const values = [3, 1, 2];
  expect(summarise(values)).toEqual({ median: 2, min: 1, max: 3 });
  expect(values).toEqual([3, 1, 2]);
});

test('a ratio is made inside each round, so that a slow round changes nothing', () => {
  // Twice, three times and half as fast: the median ratio is 2. The ratio of the medians would be 1.5.
  expect(medianRatio([200, 30, 10], [100, 10, 20])).toBe(2);
  expect(medianRatio([200, 100, 20], [100, 100, 100])).toBe(1);
});

test('nothing is no measurement, and different rounds are no comparison', () => {
  expect(() => median([])).toThrow('there are none');
  expect(() => medianRatio([1, 2], [1])).toThrow('2 rounds against 1');
});
