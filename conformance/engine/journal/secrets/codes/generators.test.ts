import { expect, test } from 'vitest';
import { randomCode, seededRandom } from '#protocol/time/random.ts';
import { CHANCE_PER_WAY, followsFrom, WAY_COUNT } from './generators.ts';

const six = (number: number) => String(number).padStart(6, '0');

/** The ways in which each of these codes follows from the three before it. */
const waysOf = (codes: readonly string[]) =>
  codes.map((code, index) => followsFrom(code, codes.slice(Math.max(0, index - 3), index).toReversed()));

function drawn(count: number, next: (state: number) => number, shown: (state: number) => number): string[] {
  let state = 20_240_115;
  return Array.from({ length: count }, () => {
    state = next(state);
    return six(shown(state));
  });
}

const glibc = (state: number) => ((Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % 2 ** 31;
const minstd = (state: number) => (state * 48_271) % (2 ** 31 - 1);

const byDigits = (state: number) => state % 1_000_000;
const byShare = (state: number) => Math.floor((state * 1_000_000) / (2 ** 31 - 1));
const affine = (state: number) => (state * 391 + 4_711) % 1_000_000;

test.each([
  ['rand of the C library, by its last digits', drawn(20, glibc, byDigits), 1],
  ['minstd_rand, by its share', drawn(20, minstd, byShare), 1],
  ['a multiplication and an addition', drawn(20, affine, byDigits), 3],
])('codes follow from those before by %s', (way, codes, first) => {
  for (const ways of waysOf(codes).slice(first)) expect(ways).toContain(way);
});

test('a code of somebody else between two hides nothing', () => {
  const codes = drawn(20, glibc, byDigits);
  const mixed = codes.flatMap((code, index) => [code, six((index * 7_919 + 13) % 1_000_000)]);
  const found = waysOf(mixed).filter((ways) => ways.includes('rand of the C library, by its last digits'));
  expect(found.length).toBeGreaterThanOrEqual(19);
});

test('drawn codes follow from each other no more often than is allowed for', { timeout: 30_000 }, () => {
  const random = seededRandom(7);
  const codes = Array.from({ length: 600 }, () => randomCode(random, 6));
  const found = waysOf(codes).flat();
  for (const way of new Set(found))
    expect(found.filter((each) => each === way).length).toBeLessThan(600 * CHANCE_PER_WAY * 3);
  expect(new Set(found).size).toBeLessThanOrEqual(WAY_COUNT);
  expect(followsFrom('1234', ['1233', '1232'])).toEqual([]);
});

test('a code of zeros follows too, from whichever state it comes', () => {
  let state = 20_240_115;
  for (let found = 0; found < 3; state = (state + 1) % 2 ** 31) {
    if (glibc(state) % 1_000_000 !== 0) continue;
    expect(followsFrom('000000', [six(state % 1_000_000)])).toContain(
      'rand of the C library, by its last digits',
    );
    found++;
  }
});
