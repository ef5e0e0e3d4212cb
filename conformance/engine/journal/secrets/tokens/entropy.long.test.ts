import { expect, test } from 'vitest';
import { isStrongIn, LENGTHS } from './testing/drawn.ts';

const RUNS = 500;

test.each(LENGTHS)(
  '%d base62 characters, %d in a run, are strong in 500 runs: %s',
  (length, count, isStrong) => {
    for (let seed = 0; seed < RUNS; seed++) expect(isStrongIn(seed, length, count)).toBe(isStrong);
  },
);
