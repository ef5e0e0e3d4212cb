import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { checks } from '../checks/index.ts';
import { selfTest } from './self-test.ts';

/** Parts of the catalogue, one of which is played here. SELF_TEST_PARTS makes fewer and larger ones. */
const PART_COUNT = Number(process.env.SELF_TEST_PARTS ?? 70);
const DAY_MS = 86_400_000;

// Another part every day, so that ten weeks cover the whole; a weekly workflow plays all. SELF_TEST_PART
// repeats one.
const part = Number(process.env.SELF_TEST_PART ?? Math.floor(systemClock.now() / DAY_MS)) % PART_COUNT;

test(`part ${part} of ${PART_COUNT} of the defects is found, and of the harmless variants changes nothing`, async () => {
  const rows = await selfTest({
    clock: systemClock,
    seed: 1,
    signal: new AbortController().signal,
    share: { part, of: PART_COUNT },
    // conformance/roles/auth-server/checks/checks.test.ts plays the right mock, on which every check passes.
    references: new Map([['mock', checks.map(({ id }) => ({ check: id, outcome: 'pass' as const }))]]),
  });
  expect(rows.filter(({ kind }) => kind === 'defect').length).toBeGreaterThan(7);
  expect(rows.filter(({ kind }) => kind === 'harmless').length).toBeGreaterThan(0);
  expect(rows.filter(({ ok }) => !ok)).toEqual([]);
}, 1_800_000);
