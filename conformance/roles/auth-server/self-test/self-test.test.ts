import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { SelfTest } from '../../../engine/defects/self-test.ts';
import { harmless } from '../defects/index.ts';
import { catalogue } from './self-test.ts';

/** One defect of so many is played here. A workflow plays all of them every week. */
const DEFECTS_A_SAMPLE = 140;
const HARMLESS = 'members-reversed';
/** Scenarios that are played with the harmless variant. */
const SCENARIOS = ['first-link', 'returning-user', 'logout'];

const selfTest = new SelfTest(catalogue);
const options = { clock: systemClock, seed: 1, signal: new AbortController().signal };

test('a fixed sample of the defects is found', async () => {
  const rows = await selfTest.rows({ ...options, share: { part: 0, of: DEFECTS_A_SAMPLE } });
  expect(rows.filter(({ kind }) => kind === 'defect').length).toBeGreaterThan(3);
  expect(rows.filter(({ ok }) => !ok)).toEqual([]);
}, 1_800_000);

test(`the harmless variant ${HARMLESS} changes no verdict`, async () => {
  const variant = harmless.find(({ id }) => id === HARMLESS);
  if (!variant) throw new Error(`There is no harmless variant ${HARMLESS}.`);
  const checks = selfTest.checksOf(SCENARIOS);
  expect(checks.length).toBeGreaterThan(20);
  const row = await selfTest.harmlessRow(variant, options, undefined, { scenarios: SCENARIOS, checks });
  expect(row).toMatchObject({ ok: true });
}, 300_000);
