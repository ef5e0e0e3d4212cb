import { expect, test } from 'vitest';
import { requirements } from '#protocol/requirements.ts';
import type { Check } from '../engine/check/check.ts';
import { usualDemands } from '../engine/check/verdict.ts';
import { reportRun } from '../engine/cli/commands/report-run.ts';
import type { Run } from '../engine/journal/run-file.ts';
import { checksOf, frozenSets, LATEST, requirementSet } from '../engine/report/requirement-sets/sets.ts';
import { fakeRun } from '../engine/report/testing/fake-run.ts';
import { checks } from './auth-server/checks.ts';
import { scenarios } from './auth-server/flows/index.ts';
import { judgedRoles } from './judge.ts';

const { run } = fakeRun({ crowd: 2 });

test('there is a frozen set, and the latest has every check', () => {
  expect(frozenSets()).toContain('1.0');
  expect(requirementSet(LATEST, 'auth-server')).toBeUndefined();
  expect(checksOf(checks, undefined)).toBe(checks);
});

test.each(frozenSets())('every check, scenario and requirement of the set %s is there', (name) => {
  const set = requirementSet(name, 'auth-server');
  expect(set?.checks.length).toBeGreaterThan(100);
  const played = new Set(scenarios.map(({ id }) => id));
  const rows = new Set<string>(requirements.map(({ id }) => id));
  for (const { id, requirements: cited, scenarios: asked } of set?.checks ?? []) {
    expect(asked.filter((scenario) => !played.has(scenario))).toEqual([]);
    expect(checks.map((check) => check.id)).toContain(id);
    expect(cited.filter((row) => !rows.has(row))).toEqual([]);
  }
  expect([...(set?.requirements.keys() ?? [])].filter((id) => !rows.has(id))).toEqual([]);
});

test('a set without sources judges by the levels of its checks', () => {
  const frozen = checksOf(checks, requirementSet('1.0', 'auth-server'));
  expect(new Set(frozen.map(({ weight }) => weight?.part))).toEqual(new Set(['interface']));
  expect(frozen.find(({ id }) => id === 'sign-on-record-used')?.weight?.level).toBe('SHOULD');
});

test('an added check changes nothing for the frozen set, which the report names', () => {
  const added: Check = {
    ...(checks[0] as Check),
    id: 'added-later',
    requirements: ['2.3-ttl'],
    judge: () => ({
      outcome: 'fail',
      expected: 'x',
      actual: 'y',
      evidence: [],
      blame: 'auth server',
      advice: 'z',
    }),
  };
  const judged = (of: Run, requirementsName: string, all: readonly Check[]) =>
    reportRun(
      of,
      { demands: usualDemands, requirements: requirementsName },
      { ...judgedRoles['auth-server'], checks: all },
    ).report;
  const before = judged(run, '1.0', checks);
  expect(judged(run, '1.0', [...checks, added])).toEqual(before);
  expect(before.summary.requirementSet).toBe('1.0');
  const latest = judged(run, LATEST, [...checks, added]);
  expect(latest.verdicts.map(({ check }) => check)).toContain('added-later');
});

test('the frozen set does not ask for an added scenario of a check', () => {
  const set = requirementSet('1.0', 'auth-server');
  const wider = checks.map((check) => ({ ...check, scenarios: [...check.scenarios, 'added-later'] }));
  expect(checksOf(wider, set)).toEqual(checksOf(checks, set));
});

test('a set that there is not is refused, with those that there are', () => {
  for (const name of ['2.7', '../secret', ''])
    expect(() => requirementSet(name, 'auth-server')).toThrow(
      `--requirements ${name}: there is no requirement set of this name. Please use one of: latest, 1.0, 2.0.`,
    );
});
