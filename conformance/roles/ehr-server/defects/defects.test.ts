import { expect, test } from 'vitest';
import type { ObservationEntry } from '../../../engine/journal/entry.ts';
import { allEhrChecks, ehrFlows } from '../flows/index.ts';
import { onServed } from '../self-test/play.ts';
import { ehrDefects, ehrHarmless } from './index.ts';
import { stateDefects } from './sessions/session-defects.ts';

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

/** The state table is walked by 150 steps, as with a server that takes so long for a call. */
const CALL_MS = 200;

/** One defect of each check of the state table, with a seed by which so few steps show it. */
test.each([
  ['state-any-signature-saves', 'does', 6],
  ['state-one-attempt-alone', 'refuses', 4],
  ['nobody-fits-as-no-session', 'code', 3],
])('the state table finds %s by a short sequence', { timeout: 300_000 }, async (defect, breaks, seed) => {
  const wrong = stateDefects.find(({ id }) => id === defect);
  expect(wrong).toBeDefined();
  const noted = await onServed<ObservationEntry['values'][]>(wrong ?? {}, { seed }, async (run) => {
    run.parts.pace.callMs = CALL_MS;
    await run.playAll(ehrFlows.filter(({ id }) => id === 'follows-state-table'));
    return run.recorder.entries().flatMap((entry) => (entry.kind === 'observation' ? [entry.values] : []));
  });
  const found = noted.find((each) => each.breaks === breaks);
  expect(found).toMatchObject({ isRepeated: true });
  expect(String(found?.sequence).split('; ').length).toBeLessThanOrEqual(MAX_CALLS);
});
