import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { SelfTest } from '../../../engine/defects/self-test.ts';
import { checks } from '../checks.ts';
import { catalogue } from './self-test.ts';

/** One variant of so many is played here. A workflow plays all of them every week. */
const VARIANTS_A_SAMPLE = 70;

test('a fixed sample of defects is found, and harmless variants change nothing', async () => {
  const rows = await new SelfTest(catalogue).rows({
    clock: systemClock,
    seed: 1,
    signal: new AbortController().signal,
    share: { part: 0, of: VARIANTS_A_SAMPLE },
    // conformance/roles/auth-server/checks.test.ts plays the right mock, on which every check passes.
    references: new Map([['mock', checks.map(({ id }) => ({ check: id, outcome: 'pass' as const }))]]),
  });
  expect(rows.filter(({ kind }) => kind === 'defect').length).toBeGreaterThan(7);
  expect(rows.filter(({ kind }) => kind === 'harmless').length).toBeGreaterThan(0);
  expect(rows.filter(({ ok }) => !ok)).toEqual([]);
}, 1_800_000);
