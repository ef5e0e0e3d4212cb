import { expect, test } from 'vitest';
import type { ObservationEntry } from '../../../engine/journal/entry.ts';
import { allEhrChecks, ehrScenarios } from '../flows/index.ts';
import { onServed } from '../self-test/play.ts';
import { ehrDefects, ehrHarmless } from './index.ts';
import { stateDefects } from './state-defects.ts';

test('every defect names a check, and every check is named by a defect', () => {
  const ids = new Set(allEhrChecks.map(({ id }) => id));
  expect(ehrDefects.filter(({ caughtBy }) => !ids.has(caughtBy)).map(({ id }) => id)).toEqual([]);
  const named = new Set(ehrDefects.map(({ caughtBy }) => caughtBy));
  expect([...ids].filter((id) => !named.has(id))).toEqual([]);
});

test('ids of variants are kebab-case and unique, and titles are sentences of their own', () => {
  const all = [...ehrDefects, ...ehrHarmless];
  const ids = all.map(({ id }) => id);
  expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
});

const MAX_CALLS = 6;

/** The state table is walked by a quarter of the steps, as with a server that takes so long for a call. */
const CALL_MS = 60;

const breakOf: Readonly<Record<string, string>> = {
  'follows-state-table': 'does',
  'state-table-refuses-within': 'refuses',
  'state-table-codes': 'code',
};

/** Plays a defect, and returns the sequence by which its check finds it. */
const sequenceOf = (defect: (typeof stateDefects)[number]) =>
  onServed<ObservationEntry['values']>(defect, { seed: 1 }, async (run) => {
    run.parts.pace.callMs = CALL_MS;
    await run.playAll(ehrScenarios.filter(({ id }) => id === 'follows-state-table'));
    const noted = run.recorder
      .entries()
      .flatMap((entry) => (entry.kind === 'observation' ? [entry.values] : []));
    return noted.find(({ breaks }) => breaks === breakOf[defect.caughtBy]) ?? {};
  });

/** One defect of each check: the self-test plays all. */
const SAMPLE = Object.keys(breakOf).flatMap(
  (id) => stateDefects.find(({ caughtBy }) => caughtBy === id) ?? [],
);

test.each(SAMPLE)(
  'the state table finds $id by a short sequence',
  async (defect) => {
    const found = await sequenceOf(defect);
    expect(found).toMatchObject({ isRepeated: true });
    expect(String(found.sequence).split('; ').length).toBeLessThanOrEqual(MAX_CALLS);
  },
  300_000,
);

test('a seed gives the same sequence each time', { timeout: 300_000 }, async () => {
  const [defect] = SAMPLE.filter(({ caughtBy }) => caughtBy === 'state-table-refuses-within');
  const played = async () => defect && (await sequenceOf(defect));
  expect(await played()).toEqual(await played());
});
