import { expect, test } from 'vitest';
import { systemClock } from '#protocol/clock.ts';
import { selfTest } from './self-test.ts';

/** Parts of the catalogue; one of them is played here, the whole by the command. SELF_TEST_PARTS makes fewer, which are larger. */
const PARTS = Number(process.env.SELF_TEST_PARTS ?? 60);
const DAY = 86_400_000;

// Another part every day, so that two months see the whole, and a weekly workflow all of it; SELF_TEST_PART repeats one.
const part = Number(process.env.SELF_TEST_PART ?? Math.floor(systemClock.now() / DAY)) % PARTS;

test(`part ${part} of ${PARTS} of the defects is found, and of the harmless variants changes nothing`, async () => {
  const rows = await selfTest({
    clock: systemClock,
    seed: 1,
    signal: new AbortController().signal,
    share: { part, of: PARTS },
  });
  expect(rows.filter(({ kind }) => kind === 'defect').length).toBeGreaterThan(7);
  expect(rows.filter(({ kind }) => kind === 'harmless').length).toBeGreaterThan(0);
  expect(rows.filter(({ ok }) => !ok)).toEqual([]);
}, 1_800_000);
