import { expect, test } from 'vitest';
import { allEhrChecks } from '../flows/index.ts';
import { playEhr } from '../self-test/play.ts';
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

const breakOf: Readonly<Record<string, string>> = {
  'follows-state-table': 'does',
  'state-table-refuses-within': 'refuses',
  'state-table-codes': 'code',
};

async function sequenceOf(defect: (typeof stateDefects)[number]) {
  const { entries } = await playEhr(defect, { seed: 1, scenarios: ['follows-state-table'] });
  const observed = entries.filter((entry) => entry.kind === 'observation').map(({ values }) => values);
  return observed.find(({ breaks }) => breaks === breakOf[defect.caughtBy]) ?? {};
}

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

test('the state table finds a defect by the same sequence each time', async () => {
  const [defect] = stateDefects as [(typeof stateDefects)[0]];
  expect(await sequenceOf(defect)).toEqual(await sequenceOf(defect));
}, 300_000);
