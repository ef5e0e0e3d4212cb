import { expect, test } from 'vitest';
import { requirements } from '#protocol/requirements.ts';
import type { Verdict } from '../check/verdict.ts';
import { type CheckInfo, matrixOf } from './matrix.ts';

const info = (id: string, requirement: CheckInfo['requirements'][0]): CheckInfo => ({
  id,
  title: `${id} holds`,
  requirements: [requirement],
  scenarios: ['first-link'],
  watchable: false,
});

const about = (id: string, requirement: CheckInfo['requirements'][0]) => {
  const { watchable: _, id: check, ...rest } = info(id, requirement);
  return { check, part: 'interface' as const, level: 'MUST' as const, ...rest };
};

const pass = (id: string, requirement: CheckInfo['requirements'][0]): Verdict => ({
  ...about(id, requirement),
  outcome: 'pass',
  finding: { outcome: 'pass', evidence: [1] },
});

/** A run that judged nothing. */
const NOTHING: Parameters<typeof matrixOf>[0] = {
  ...{ mode: 'scenarios', role: 'auth-server', checks: [], verdicts: [], only: undefined, notSetUp: false },
};

/** The row of one requirement. */
function rowOf(id: string, more: Partial<Parameters<typeof matrixOf>[0]> = {}) {
  const row = matrixOf({ ...NOTHING, ...more }).find((each) => each.id === id);
  if (!row) throw new Error(`no row ${id}`);
  return row;
}

test('requirements on the party have rows, and others that a check cites', () => {
  const ids = (checks: CheckInfo[]) => matrixOf({ ...NOTHING, checks }).map(({ id }) => id);
  const theirs = requirements
    .filter(({ party, source }) => [party].flat().includes('auth-server') && source !== 'decision')
    .map(({ id }) => id);
  expect(ids([])).toEqual(theirs);
  expect(theirs).not.toContain('4.1-token-unique');
  expect(ids([info('a', '4.1-token-unique')])).toContain('4.1-token-unique');
});

test('a requirement without a check says so, or why there can be none', () => {
  expect(rowOf('2.3-ttl')).toMatchObject({ status: 'not judged', because: 'no check judges it', checks: [] });
  const notJudged = { '2.3-ttl': 'no run shows it' };
  expect(rowOf('2.3-ttl', { notJudged }).because).toBe('no run shows it');
});

test('a requirement whose check was not asked says what kept it', () => {
  const checks = [info('ttl', '2.3-ttl')];
  expect(rowOf('2.3-ttl', { checks, only: '5.1' })).toMatchObject({
    status: 'not judged',
    because: 'not asked, because the run was restricted to 5.1',
    checks: [{ check: 'ttl', outcome: 'not run' }],
  });
  expect(rowOf('2.3-ttl', { checks, mode: 'watch' }).because).toBe(
    'a watched session cannot show it: no scenario says what was intended',
  );
  expect(
    rowOf('2.3-ttl', { checks: [{ ...info('ttl', '2.3-ttl'), watchable: true }], mode: 'watch', only: '5.1' })
      .because,
  ).toBe('not asked, because the run was restricted to 5.1');
  expect(rowOf('2.3-ttl', { checks }).because).toBe('not asked in this run');
});

test('a requirement is met only by a pass that shows it', () => {
  const checks = [info('a', '2.3-ttl')];
  const row = (verdict: Partial<Verdict>) =>
    rowOf('2.3-ttl', { checks, verdicts: [{ ...pass('a', '2.3-ttl'), ...verdict } as Verdict] });
  expect(row({}).status).toBe('met');
  const nothing = { status: 'not judged', because: 'nothing that it is about crossed the wire' };
  expect(row({ unshown: ['2.3-ttl'] })).toMatchObject(nothing);
  expect(row({ outcome: 'pass', finding: { outcome: 'pass', evidence: [] } })).toMatchObject(nothing);
});

/** The row of a requirement whose checks found this. */
const judged = (
  findings: readonly [string, Verdict['outcome'], object][],
  more: Parameters<typeof rowOf>[1] = {},
) => {
  const checks = [info('a', '2.3-ttl'), info('b', '2.3-ttl')];
  const verdicts = findings.map(
    ([id, outcome, finding]) => ({ ...about(id, '2.3-ttl'), outcome, finding }) as Verdict,
  );
  return rowOf('2.3-ttl', { checks, verdicts, ...more });
};

test.each([
  ['not applicable', 'not judged'],
  ['inconclusive', 'inconclusive'],
] as const)('a check that is %s gives its reason', (outcome, status) => {
  const because = 'the server has no such step';
  expect(judged([['a', outcome, { outcome, because }]], { checks: [info('a', '2.3-ttl')] })).toMatchObject({
    status,
    because,
  });
});

test.each([
  ['2.3-ttl', 'fail', 'broken'],
  ['K-failure-told', 'warning', 'warning'],
  // A check of the interface that fails shows no more than a recommendation of a fact that it judges, too.
  ['D2-rpc-is-200', 'fail', 'warning'],
  ['2.3-ttl', 'pass', 'met'],
] as const)('of several checks of %s the worst outcome counts: %s', (id, outcome, status) => {
  const finding = { outcome: outcome === 'pass' ? 'pass' : 'fail', evidence: [1] };
  const verdicts = [pass('a', id), { ...about('b', id), outcome, finding } as Verdict];
  expect(rowOf(id, { checks: [info('a', id), info('b', id)], verdicts })).toMatchObject({
    status,
    checks: [
      { check: 'a', outcome: 'pass' },
      { check: 'b', outcome },
    ],
  });
});

test('a check that was left out is named', () => {
  expect(judged([['a', 'pass', { outcome: 'pass', evidence: [1] }]], { only: 'a' })).toMatchObject({
    status: 'met',
    because: 'judged in part: not asked, because the run was restricted to a (b)',
  });
});
