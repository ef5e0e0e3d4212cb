import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { withMethod } from '../../../engine/check/testing/copies.ts';
import { brokenChecks } from '../../../engine/check/testing/findings.ts';
import type { Entry, StepResult } from '../../../engine/journal/entry.ts';
import { faultOfRun, type Run } from '../../../engine/journal/run-file.ts';
import { judge } from '../../judge.ts';
import { ehrCatalogue } from '../self-test/self-test.ts';
import { type EhrServerParts, playEhr } from '../self-test/serve.ts';
import { allEhrChecks, ehrFlows } from './index.ts';

let run: Run;
let text: string;
beforeAll(async () => {
  const played = await playEhr({}, { clock: systemClock, seed: 1 });
  // The load of this machine must not matter here.
  run = { ...played, entries: played.entries.filter(({ kind }) => kind !== 'silence') };
  text = JSON.stringify(run.entries);
}, 300_000);

afterAll(() =>
  expect(JSON.stringify(run.entries) === text, 'the journal is still the one that was played').toBe(true),
);

const judged = (entries: readonly Entry[]) => judge({ meta: run.meta, entries });

test('a whole run fits the schema by which files are read', () => {
  expect(faultOfRun(JSON.parse(JSON.stringify(run)))).toBeUndefined();
});

test('every check that can be played passes on the journal of a right server', () => {
  const others = judged(run.entries).filter(({ outcome }) => outcome !== 'pass');
  const left = allEhrChecks.filter(({ id }) => ehrCatalogue.mayNotApply?.(id));
  expect(others.map(({ check }) => check).sort()).toEqual(left.map(({ id }) => id).sort());
});

test('a method with the name of an inherited member breaks no check', () => {
  for (const method of ['constructor', '__proto__'])
    expect(brokenChecks(judged(withMethod(method, run.entries)))).toEqual([]);
});

test('ttl-in-seconds passes where the file says so', async () => {
  const rules = { ttlUnit: 'seconds' } as const;
  const change = { parts: (parts: EhrServerParts) => ({ rules: { ...parts.rules, ...rules } }) };
  const played = await playEhr({ ...change, settings: rules }, { scenarios: ['ttl-in-seconds'] });
  const checks = allEhrChecks.filter(({ id }) => id === 'ttl-in-seconds');
  expect(judge(played, { checks }).map(({ outcome }) => outcome)).toEqual(['pass']);
});

function withEach(result: StepResult, response: { status: number; body: string }): Entry[] {
  return run.entries.flatMap((entry): Entry[] => {
    if (entry.kind === 'observation') return [];
    if (entry.kind === 'exchange' && entry.response)
      return [{ ...entry, response: { headers: [], ...response } }];
    return [entry.kind === 'outcome' ? { ...entry, result } : entry];
  });
}

/** Ids of the checks that need a step which does so, by what the journal keeps with each step. */
function wants(must: 'succeed' | 'be refused'): string[] {
  const needed = run.entries.flatMap((entry) =>
    entry.kind === 'step' ? (entry.expects ?? []).map((expects) => ({ ...entry, expects })) : [],
  );
  const ofFlow = (id: string) =>
    needed.filter(({ scenario, expects }) => scenario === id && expects.must === must && !expects.isControl);
  return ehrFlows
    .flatMap(({ id: flow, checks }) =>
      checks.filter(({ id }) => ofFlow(flow).some(({ expects }) => (expects.check ?? id) === id)),
    )
    .map(({ id }) => id);
}

test.each<['refuses' | 'says yes to', 'succeed' | 'be refused', StepResult, object]>([
  [
    'refuses',
    'succeed',
    { kind: 'refused', status: 200, code: '-33000', reason: 'not_authorized' },
    { error: { code: -33000, message: 'No.', data: { reason: 'not_authorized' } } },
  ],
  ['says yes to', 'be refused', { kind: 'done', values: { id: 'a' } }, { result: { id: 'a' } }],
])('a server that %s everything passes no check whose steps must %s', (_does, must, result, reply) => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...reply, id: '1' });
  const verdicts = judged(withEach(result, { status: 200, body }));
  const passed = new Set(verdicts.filter(({ outcome }) => outcome === 'pass').map(({ check }) => check));
  const wanted = wants(must);
  expect(wanted.length).toBeGreaterThan(30);
  expect(wanted.filter((id) => passed.has(id))).toEqual([]);
});

test('an empty journal passes nothing', () => {
  expect(judged([]).filter(({ outcome }) => outcome === 'pass')).toEqual([]);
});
