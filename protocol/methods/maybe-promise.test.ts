import { expect, test } from 'vitest';
import { whenKnown } from './maybe-promise.ts';

test('a present value is handed on at once, a later one later', async () => {
  expect(whenKnown(2, (value) => value * 3)).toBe(6);
  expect(
    await whenKnown(Promise.resolve(2), (value) => whenKnown(value * 3, (six) => Promise.resolve(`${six}`))),
  ).toBe('6');
  const fail = () => {
    throw new RangeError('no');
  };
  expect(() => whenKnown(2, fail)).toThrow(RangeError);
  await expect(whenKnown(Promise.resolve(2), fail)).rejects.toThrow(RangeError);
});
