import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { SelfTest } from '../../../engine/defects/self-test.ts';
import { ehrDefects, ehrHarmless } from '../defects/index.ts';
import { allEhrChecks } from '../flows/index.ts';
import { ehrCatalogue } from './self-test.ts';

const ehrSelfTest = new SelfTest(ehrCatalogue);

const options = () => ({ clock: systemClock, seed: 1, signal: new AbortController().signal });

/** One defect of so many is played here. `self-test --role ehr-server` plays all. */
const DEFECTS_A_SAMPLE = 60;

test('a fixed sample of the defects is found by the checks that they name', async () => {
  const rows = [];
  for (const defect of ehrDefects.filter((_, index) => index % DEFECTS_A_SAMPLE === 0))
    rows.push(await ehrSelfTest.defectRow(defect, options()));
  expect(rows.map(({ check, ok }) => ({ check, ok }))).toEqual(
    rows.map(({ check }) => ({ check, ok: true })),
  );
}, 300_000);

/** The harmless variant that differs in most messages: the whole self-test plays the others. */
const HARMLESS = 'ids-of-rows';

test('a harmless variant changes no verdict', async () => {
  const variant = ehrHarmless.find(({ id }) => id === HARMLESS);
  expect(variant && (await ehrSelfTest.harmlessRow(variant, options()))).toMatchObject({ ok: true });
}, 300_000);

test('the rows of a self-test are what --only chooses', async () => {
  // One check is enough here: that all pass on the reference is shown by checks.test.ts.
  const scenario = 'exchange-token-used-once';
  const small = new SelfTest({ ...ehrCatalogue, checks: allEhrChecks.filter(({ id }) => id === scenario) });
  const rows = await small.rows({ ...options(), only: 'used-token-replies-again' });
  expect(rows.map(({ kind, id, ok }) => [kind, id, ok])).toEqual([
    ['defect', 'used-token-replies-again', true],
  ]);
});

test('a defect that nobody finds, and a variant that fails, are told', async () => {
  const right = { id: 'right', title: 'It is right' };
  const row = await ehrSelfTest.defectRow({ ...right, caughtBy: 'exchange-token-used-once' }, options());
  expect(row).toMatchObject({ ok: false, found: 'not found: pass: it passed' });
  const unknown = await ehrSelfTest.defectRow({ ...right, caughtBy: 'no-such-check' }, options());
  expect(unknown).toMatchObject({ ok: false, found: 'there is no check of this name' });
  const [wrong] = ehrDefects.filter(({ id }) => id === 'without-jsonrpc');
  if (!wrong) throw new Error('The catalogue lacks a defect that this test needs.');
  const checks = allEhrChecks.filter(({ id }) => id === 'result-or-error');
  const harmed = await ehrSelfTest.harmlessRow(wrong, options(), undefined, {
    checks,
    scenarios: ['exchange-token-used-once'],
  });
  expect(harmed).toMatchObject({ ok: false, found: expect.stringContaining('result-or-error') });
});
