import { beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#protocol/clock.ts';
import { requirements } from '#protocol/requirements.ts';
import { defects, harmless } from '../defects/index.ts';
import type { Entry, ExchangeEntry, OutcomeEntry, StepResult } from '../journal/entry.ts';
import type { Run } from '../journal/run-file.ts';
import { judge } from '../judge.ts';
import { scenarios } from '../scenarios/index.ts';
import { playVariant } from '../self-test/self-test.ts';
import type { Verdict } from '../verdict.ts';
import { checks } from './index.ts';
import { redChanges } from './red-changes.ts';

let run: Run;
beforeAll(async () => {
  const options = { clock: systemClock, seed: 1, signal: new AbortController().signal };
  run = await playVariant({ id: 'reference', title: 'The reference' }, scenarios, options);
}, 120_000);

const judged = (entries: readonly Entry[], meta: Partial<Run['meta']> = {}) =>
  judge({ meta: { ...run.meta, ...meta }, entries });
const outcomeOf = (verdicts: readonly Verdict[], id: string) => verdicts.find(({ check }) => check === id)?.outcome;

test('every check passes on the journal of a right server', () => {
  const others = judged(run.entries).filter(({ outcome }) => outcome !== 'pass');
  expect(others).toEqual([]);
});

test('every check has a change here that makes it red', () => {
  expect(Object.keys(redChanges).sort()).toEqual(checks.map(({ id }) => id).sort());
});

describe.each(Object.entries(redChanges))('%s', (id, change) => {
  test(`${id} is red after the smallest change to the journal`, () => {
    const entries = structuredClone(run.entries) as Entry[];
    change({
      entries,
      outcome(scenario, label, result: StepResult) {
        const steps = entries.filter((e) => e.kind === 'step' && e.scenario === scenario && e.label === label);
        expect(steps.length).toBeGreaterThan(0);
        for (const { seq } of steps)
          (entries.find((e) => e.kind === 'outcome' && e.step === seq) as OutcomeEntry).result = result;
      },
      exchanges: (link, method) =>
        entries.filter(
          (e): e is ExchangeEntry =>
            e.kind === 'exchange' && e.link === link && (method === undefined || e.facts.call?.method === method),
        ),
    });
    expect(['fail', 'warning']).toContain(outcomeOf(judged(entries), id));
  });
});

test.each([
  ['refuses everything', { kind: 'refused', status: 400, reason: 'no' }],
  [
    'answers 200 {} to everything',
    { kind: 'failed', what: 'unexpected-answer', detail: 'it lacks what it must carry' },
  ],
] as const)('a server that %s passes no check at all', (_what, result) => {
  const entries = structuredClone(run.entries).flatMap((entry): Entry[] => {
    if (entry.kind === 'exchange') return entry.link === 'client->auth' ? [entry] : [];
    return [entry.kind === 'outcome' ? { ...entry, result } : entry];
  });
  // What it is sent is judged by itself: it may well be free of patient data.
  const passed = judged(entries).filter(({ outcome, check }) => outcome === 'pass' && check !== 'no-patient-data');
  expect(passed.map(({ check }) => check)).toEqual([]);
});

test('where no fault was met, nothing is said about how faults are taken', () => {
  const entries = structuredClone(run.entries).map((entry): Entry => {
    if (entry.kind !== 'exchange') return entry;
    const { fault: _unmet, ...rest } = entry;
    return rest;
  });
  const about = /-told-(?!$)|^understands-|^no-redirect/;
  const verdicts = judged(entries).filter(({ check }) => about.test(check));
  expect(verdicts.length).toBeGreaterThan(20);
  expect(verdicts.filter(({ outcome }) => outcome === 'pass').map(({ check }) => check)).toEqual([]);
});

test('an empty journal passes nothing, in either mode, finished or not', () => {
  for (const mode of ['scenarios', 'watch'] as const)
    for (const finished of [true, false])
      expect(judged([], { mode, finished }).filter(({ outcome }) => outcome === 'pass')).toEqual([]);
});

test('a journal that is broken off passes no check whose scenario had not ended', () => {
  const ends = run.entries.filter((e) => e.kind === 'scenario' && e.phase === 'end');
  for (const end of ends) {
    const cut = run.entries.filter(({ seq }) => seq < end.seq);
    const over = new Set(cut.flatMap((e) => (e.kind === 'scenario' && e.phase === 'end' ? [e.scenario] : [])));
    for (const verdict of judged(cut, { finished: false })) {
      if (verdict.outcome === 'pass') expect(verdict.scenarios.filter((name) => !over.has(name))).toEqual([]);
    }
  }
});

test('judging twice gives the same bytes, and the order of members says nothing', () => {
  const once = JSON.stringify(judged(run.entries));
  expect(JSON.stringify(judged(run.entries))).toBe(once);
  expect(JSON.stringify(judged(JSON.parse(JSON.stringify(run.entries)) as Entry[]))).toBe(once);
  expect(JSON.stringify(judged(reversed(run.entries)))).toBe(once);
});

function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  ) as T;
}

test('ids are kebab-case and unique', () => {
  for (const each of [checks, defects, harmless, scenarios]) {
    const ids = each.map(({ id }) => id);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test('every check names scenarios that there are, and a requirement that binds the authorization server', () => {
  const names = new Set(scenarios.map(({ id }) => id));
  for (const check of checks) {
    expect(check.scenarios.filter((name) => !names.has(name))).toEqual([]);
    expect(check.scenarios.length).toBeGreaterThan(0);
    const cited = check.requirements.map((id) => requirements.find((each) => each.id === id));
    expect(cited).not.toContain(undefined);
    expect(
      cited.some((each) => each && [each.party].flat().includes('auth-server')),
      check.id,
    ).toBe(true);
  }
});

/** Checks that no server can be made to break beside the reference EHR server, with the reason. */
const WITHOUT_DEFECT: Readonly<Record<string, string>> = {
  'first-sign-in-not-saved': 'the reference EHR server refuses to save a session for a user who was never linked',
};

test('every defect names a check, and every check is named by a defect or excused', () => {
  const ids = new Set(checks.map(({ id }) => id));
  expect(defects.filter(({ caughtBy }) => !ids.has(caughtBy)).map(({ id }) => id)).toEqual([]);
  const named = new Set(defects.map(({ caughtBy }) => caughtBy));
  expect([...ids].filter((id) => !named.has(id)).sort()).toEqual(Object.keys(WITHOUT_DEFECT).sort());
});
