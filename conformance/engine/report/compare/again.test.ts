import { expect, test } from 'vitest';
import { usualDemands, type Verdict } from '../../check/verdict.ts';
import { redIn } from '../red-parts.ts';
import { fakeReport, fakeRun, known } from '../testing/fake-run.ts';
import { againLine, againSummary, comparedAgain } from './again.ts';

const fake = fakeRun({ crowd: 1 });
const report = fakeReport(fake);
const [was] = redIn(report);
if (was?.finding.outcome !== 'fail') throw new Error('The invented run lacks a failure.');
const { finding } = was;

/** The check of the report that fails, as it is found now. */
const verdict = (now: Verdict['finding']) => ({ ...was, outcome: now.outcome, finding: now }) as Verdict;
const failing = (actual: string) => verdict({ ...finding, actual });
const lineOf = (before: string, now: Verdict) =>
  comparedAgain([{ ...was, finding: { ...finding, actual: before } } as typeof was], [now]).map((each) =>
    againLine(each, (_style, text) => text),
  )[0];

test('red is what made the run fail, by the demands of that run', () => {
  const red = redIn(report).map(({ outcome }) => outcome);
  expect(new Set(red)).toEqual(new Set(['fail', 'inconclusive']));
  const strict = { ...usualDemands, strict: true };
  const more = redIn(fakeReport(fake, { demands: strict })).map(({ outcome }) => outcome);
  expect(new Set(more)).toEqual(new Set(['fail', 'inconclusive', 'warning']));
});

test('a known failure is not red', () => {
  const checks = redIn(fakeReport(fake, { baseline: [known(was.check)] })).map(({ check }) => check);
  expect(checks).not.toContain(was.check);
  expect(checks).toHaveLength(redIn(report).length - 1);
});

test('a check that passes is fixed, and an unknown one is gone', () => {
  const fixed = verdict({ outcome: 'pass', evidence: [] });
  expect(lineOf('it succeeded', fixed)).toBe(`✓ ${was.check}: fixed`);
  const [gone] = comparedAgain([was], []);
  expect(gone && againLine(gone, (_style, text) => text)).toBe(`– ${was.check}: gone`);
});

test('a check that could not be judged and passes has changed', () => {
  const before = verdict({ outcome: 'inconclusive', because: 'it had no session', blame: 'unknown' });
  const [now] = comparedAgain([before as typeof was], [verdict({ outcome: 'pass', evidence: [] })]);
  expect(now && againLine(now, (_style, text) => text)).toBe(
    `✓ ${was.check}: changed (was inconclusive: it had no session, now pass)`,
  );
});

test.each([
  ['it succeeded', 'it succeeded'],
  ['a PIN in clear (3 of 12 calls)', 'a PIN in clear (1 of 4 calls)'],
  ['it was given to no client (at "Ivy returns")', 'it was given to no client (at "Bea returns")'],
])('the finding "%s" that becomes "%s" is still broken', (before, now) => {
  expect(lineOf(before, failing(now))).toBe(`✕ ${was.check}: still broken`);
});

test.each([
  ['HTTP 500', 'HTTP 404'],
  ['error -33001', 'error -33002'],
])('the answer "%s" that becomes "%s" is a change', (before, now) => {
  expect(lineOf(before, failing(now))).toBe(
    `✕ ${was.check}: changed (was fail: ${before}, now fail: ${now})`,
  );
});

test('another outcome is a change, told in one short line', () => {
  const because = `the sign-in\nbefore it failed: ${'x'.repeat(200)}\u001b[31m`;
  const now = verdict({ outcome: 'inconclusive', because, blame: 'auth server' });
  const line = lineOf('it succeeded', now);
  expect(line).toMatch(
    /^\? [\w-]+: changed \(was fail: it succeeded, now inconclusive: the sign-in before it .*…\)$/,
  );
  expect(line?.length).toBeLessThan(200);
});

test('the summary counts what became of the checks', () => {
  const all = comparedAgain(
    [was, { ...was, check: 'a' }, { ...was, check: 'b' }],
    [was, { ...failing('it was lost'), check: 'a' }],
  );
  expect(againSummary(all)).toBe('3 checks were red: 1 still broken, 1 changed, 1 gone.');
  expect(againSummary(all.slice(0, 1))).toBe('1 check was red: 1 still broken.');
});
