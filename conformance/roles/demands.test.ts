import { expect, test } from 'vitest';
import type { RequirementId } from '#protocol/requirements.ts';
import type { Check } from '../engine/check/check.ts';
import { type Demands, type Finding, usualDemands } from '../engine/check/verdict.ts';
import { parts } from '../engine/check/weight.ts';
import { reportRun } from '../engine/cli/commands/report-run.ts';
import { fakeRun } from '../engine/report/testing/fake-run.ts';
import { judgedRoles } from './judge.ts';

const { run } = fakeRun({ crowd: 1 });
const because = { expected: 'this', actual: 'that', evidence: [1], advice: 'mend it' };
const failed: Finding = { outcome: 'fail', blame: 'client', ...because };
const passed: Finding = { outcome: 'pass', evidence: [1] };

/** A requirement of each weight. */
const ROWS = {
  'interface MUST': '2.3-ttl',
  'safety MUST': 'K-internal-secrets-kept',
  'safety SHOULD': 'K-failure-told',
} as const satisfies Record<string, RequirementId>;
type Broken = keyof typeof ROWS;
const DEMANDS: readonly [string, Partial<Demands>, red: readonly Broken[]][] = [
  ['nothing', {}, ['interface MUST', 'safety MUST']],
  ['--gate interface', { gate: 'interface' }, ['interface MUST']],
  ['--strict', { strict: true }, ['interface MUST', 'safety MUST', 'safety SHOULD']],
];

test.each(DEMANDS)('a run fails with %s as it should', (_words, demands, red) => {
  const role = judgedRoles.client;
  const [first, ...others] = role.checks
    .slice(0, 4)
    .map((check): Check => ({ ...check, scenarios: [], judge: () => passed }));
  if (!first) throw new Error('The role has no check.');
  for (const weight of Object.keys(ROWS) as Broken[]) {
    const broken: Check = { ...first, requirements: [ROWS[weight]], judge: () => failed };
    const checks = [broken, ...others];
    const settings = { demands: { ...usualDemands, ...demands } };
    const { report } = reportRun(run, settings, { ...role, checks });
    expect([weight, report.summary.exitCode]).toEqual([weight, red.includes(weight) ? 1 : 0]);
    expect(Object.keys(report.summary.parts)).toEqual([...parts]);
  }
});
