import { expect, test } from 'vitest';
import { requirements } from '#protocol/requirements.ts';
import type { Verdict } from '../check/verdict.ts';
import { type CheckInfo, matrixOf } from './matrix.ts';

const info = (id: string, requirement: CheckInfo['requirements'][0], watchable = false): CheckInfo => ({
  id,
  title: `${id} holds`,
  level: 'MUST',
  requirements: [requirement],
  scenarios: ['first-link'],
  watchable,
});

const about = (id: string, requirement: CheckInfo['requirements'][0]) => {
  const { watchable: _, id: check, ...rest } = info(id, requirement);
  return { check, ...rest };
};

const pass = (id: string, requirement: CheckInfo['requirements'][0]): Verdict => ({
  ...about(id, requirement),
  outcome: 'pass',
  finding: { outcome: 'pass', evidence: [1] },
});

/** The row of one requirement. */
function rowOf(id: string, more: Partial<Parameters<typeof matrixOf>[0]> = {}) {
  const row = matrixOf({
    mode: 'scenarios',
    role: 'auth-server',
    checks: [],
    verdicts: [],
    only: undefined,
    notSetUp: false,
    ...more,
  }).find((each) => each.id === id);
  if (!row) throw new Error(`no row ${id}`);
  return row;
}

test('every requirement on the authorization server has a row, and one on another party only when a check cites it', () => {
  const ids = (checks: CheckInfo[]) =>
    matrixOf({ mode: 'scenarios', role: 'auth-server', checks, verdicts: [], only: undefined, notSetUp: false }).map(
      ({ id }) => id,
    );
  const theirs = requirements.filter(({ party }) => [party].flat().includes('auth-server')).map(({ id }) => id);
  expect(ids([])).toEqual(theirs);
  expect(theirs).not.toContain('4.1-token-unique');
  expect(ids([info('a', '4.1-token-unique')])).toContain('4.1-token-unique');
});

test('a requirement without a check says so, or why there can be none', () => {
  expect(rowOf('2.3-ttl')).toMatchObject({ status: 'not judged', because: 'no check judges it', checks: [] });
  expect(rowOf('2.3-internal-id-added').because).toMatch(/^the wire cannot show it: Kept inside/);
  const notJudged = { 'DA-outbox': 'it describes the mock' };
  expect(rowOf('DA-outbox', { notJudged }).because).toBe('it describes the mock');
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
  expect(rowOf('2.3-ttl', { checks: [info('ttl', '2.3-ttl', true)], mode: 'watch', only: '5.1' }).because).toBe(
    'not asked, because the run was restricted to 5.1',
  );
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

test('a check that does not apply, or could not judge, gives its reason', () => {
  const checks = [info('ttl', '2.3-ttl')];
  const because = 'the server has no such step';
  expect(
    rowOf('2.3-ttl', {
      checks,
      verdicts: [
        { ...about('ttl', '2.3-ttl'), outcome: 'not applicable', finding: { outcome: 'not applicable', because } },
      ],
    }),
  ).toMatchObject({ status: 'not judged', because });
  expect(
    rowOf('2.3-ttl', {
      checks,
      verdicts: [
        {
          ...about('ttl', '2.3-ttl'),
          outcome: 'inconclusive',
          finding: { outcome: 'inconclusive', because, blame: 'environment' },
        },
      ],
    }),
  ).toMatchObject({ status: 'inconclusive', because });
});

test('of several checks the worst outcome counts, and a check left out is named', () => {
  const checks = [info('a', '2.3-ttl'), info('b', '2.3-ttl')];
  const fail: Verdict['finding'] = {
    outcome: 'fail',
    expected: '',
    actual: '',
    evidence: [],
    blame: 'auth server',
    advice: '',
  };
  expect(
    rowOf('2.3-ttl', {
      checks,
      verdicts: [pass('a', '2.3-ttl'), { ...about('b', '2.3-ttl'), outcome: 'fail', finding: fail }],
    }).status,
  ).toBe('broken');
  expect(
    rowOf('2.3-ttl', {
      checks,
      verdicts: [pass('a', '2.3-ttl'), { ...about('b', '2.3-ttl'), outcome: 'warning', finding: fail }],
    }).status,
  ).toBe('warning');
  expect(rowOf('2.3-ttl', { checks, verdicts: [pass('a', '2.3-ttl'), pass('b', '2.3-ttl')] })).toMatchObject({
    status: 'met',
    checks: [
      { check: 'a', outcome: 'pass' },
      { check: 'b', outcome: 'pass' },
    ],
  });
  expect(rowOf('2.3-ttl', { checks, verdicts: [pass('a', '2.3-ttl')], only: 'a' })).toMatchObject({
    status: 'met',
    because: 'judged in part: not asked, because the run was restricted to a (b)',
  });
});
