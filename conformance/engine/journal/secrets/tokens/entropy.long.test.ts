import { expect, test } from 'vitest';
import { isStrongIn, LENGTHS } from './testing/drawn.ts';

const RUNS = 500;

test.each(LENGTHS)(
  'random tokens of %d base62 characters, %d in a run, are strong enough in many runs: %s',
  (length, count, isStrong) => {
    for (let seed = 0; seed < RUNS; seed++) expect(isStrongIn(seed, length, count)).toBe(isStrong);
  },
);
