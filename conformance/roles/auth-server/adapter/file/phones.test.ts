import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '#protocol/time/random.ts';
import { phonesOfPattern } from './phones.ts';

test('a phone is the pattern filled with digits', () => {
  const phone = phonesOfPattern('+7999#55###', seededRandom(3));
  for (let index = 0; index < 500; index++) expect(phone(index)).toMatch(/^\+7999\d55\d{3}$/);
});

test('each run draws other phones', () => {
  const random = seededRandom(7);
  const first = () => phonesOfPattern('7999########', random)(0);
  expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map(first)).size).toBe(8);
});

test('every phone of a pattern but the excluded one comes once', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      fc.integer({ min: 0, max: 999 }),
      (seed, number) => {
        const without = `7${String(number).padStart(3, '0')}5`;
        const phone = phonesOfPattern('7###5', seededRandom(seed), without);
        const phones = Array.from({ length: 999 }, (_, index) => phone(index));
        expect(new Set(phones).size).toBe(999);
        expect(phones).not.toContain(without);
        expect(() => phone(999)).toThrow(RangeError);
      },
    ),
    { numRuns: 20 },
  );
});

test('an excluded phone outside the pattern takes nothing away', () => {
  for (const without of ['79990000007', '70005', '7000', '8005']) {
    const phone = phonesOfPattern('7##5', seededRandom(1), without);
    expect(new Set(Array.from({ length: 100 }, (_, index) => phone(index))).size).toBe(100);
  }
  expect(() => phonesOfPattern('7##5', seededRandom(1), '+7335')(99)).toThrow(
    'The pattern 7##5 has 99 phones, and one more is needed. Please give it more #.',
  );
});
