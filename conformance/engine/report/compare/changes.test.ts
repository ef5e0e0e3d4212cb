import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Demands, usualDemands, type Verdict } from '../../check/verdict.ts';
import { InputError } from '../../input-error.ts';
import { temporaryDirectory } from '../../journal/testing/directory.ts';
import { fakeReport, fakeRun } from '../testing/fake-run.ts';
import { compareReports } from './changes.ts';
import { compareFiles, comparisonText } from './compare.ts';

const fake = fakeRun({ crowd: 1 });
type Outcome = Verdict['outcome'];

const failure: Verdict['finding'] = {
  ...{ outcome: 'fail', expected: 'this', actual: 'that', evidence: [] },
  ...{ blame: 'auth server', advice: 'mend it' },
};
const findings: Record<Outcome, Verdict['finding']> = {
  pass: { outcome: 'pass', evidence: [] },
  fail: failure,
  warning: failure,
  differs: failure,
  inconclusive: { outcome: 'inconclusive', because: 'nothing crossed', blame: 'environment' },
  'not applicable': { outcome: 'not applicable', because: 'no such step' },
};

/** A report with one check of this outcome, or none, beside one that always passes. */
function report(
  outcome: Outcome | undefined,
  more: Parameters<typeof fakeReport>[1] = {},
  meta = {},
  part: Verdict['part'] = 'interface',
) {
  const about = { level: 'MUST', requirements: ['2.3-ttl'], scenarios: ['first-link'] } as const;
  const verdict = (check: string, is: Outcome) =>
    ({
      ...about,
      part: is === 'differs' ? 'reference' : part,
      check,
      title: `${check} holds`,
      outcome: is,
      finding: findings[is],
    }) as Verdict;
  const verdicts = [
    verdict('always', 'pass'),
    ...(outcome === undefined ? [] : [verdict('changing', outcome)]),
  ];
  return fakeReport({ ...fake, verdicts, run: { ...fake.run, meta: { ...fake.run.meta, ...meta } } }, more);
}

test.each([
  ['pass', 'fail', 'newly failing', true],
  ['warning', 'fail', 'newly failing', true],
  ['not applicable', 'fail', 'newly failing', true],
  ['inconclusive', 'fail', 'newly failing', false],
  ['pass', 'inconclusive', 'newly inconclusive', true],
  ['fail', 'inconclusive', 'less bad', false],
  ['pass', 'warning', 'newly warned', false],
  ['fail', 'warning', 'less bad', false],
  ['pass', 'differs', 'newly differing', false],
  ['inconclusive', 'differs', 'less bad', false],
  ['inconclusive', 'warning', 'less bad', false],
  ['pass', 'not applicable', 'no longer judged', true],
  ['fail', 'not applicable', 'no longer judged', false],
  ['fail', 'pass', 'fixed', false],
  ['warning', 'pass', 'fixed', false],
  ['inconclusive', 'pass', 'fixed', false],
  ['not applicable', 'pass', 'judged now', false],
  [undefined, 'pass', 'added', false],
  [undefined, 'fail', 'added', true],
  [undefined, 'inconclusive', 'added', true],
  ['pass', undefined, 'removed', true],
  ['fail', undefined, 'removed', false],
] as const)('%s that becomes %s is %s; worse: %s', (was, now, kind, worse) => {
  const { changes, same, exitCode } = compareReports(report(was), report(now));
  expect(changes).toMatchObject([{ check: 'changing', kind, worse, was, now }]);
  expect({ same, exitCode }).toEqual({ same: 1, exitCode: worse ? 1 : 0 });
});

test('what stays the same is no change, however bad', () => {
  for (const outcome of ['pass', 'fail', 'warning', 'differs', 'inconclusive', 'not applicable'] as const) {
    const nothing = { changes: [], differences: [], same: 2, exitCode: 0 };
    expect(compareReports(report(outcome), report(outcome)), outcome).toEqual(nothing);
  }
});

test.each<[Verdict['outcome'], Verdict['part'], Partial<Demands>, worse: 0 | 1]>([
  ['warning', 'interface', { strict: true }, 1],
  ['differs', 'reference', { likeTheReference: true }, 1],
  ['differs', 'reference', { strict: true }, 0],
  ['fail', 'safety', {}, 1],
  ['fail', 'safety', { gate: 'interface' }, 0],
])('a new %s of %s with the demands %o is worse: %i', (outcome, part, demands, worse) => {
  const now = report(outcome, { demands: { ...usualDemands, ...demands } }, {}, part);
  expect(compareReports(report('pass', {}, {}, part), now).exitCode).toBe(worse);
});

test('a check that a restricted run left out is not worse', () => {
  expect(compareReports(report('pass'), report(undefined, { only: '5.1' }))).toMatchObject({
    changes: [{ kind: 'removed', worse: false }],
    exitCode: 0,
  });
});

test('differences of the runs themselves are told', () => {
  const ehr = { apiVersion: '1.0-alpha', host: '127.0.0.1' };
  const configuration = { server: 'http://127.0.0.1:4300', ehr, otp: { sms: ['webhook'] }, retries: 1 };
  const meta = { seed: 7, tool: 'embedded-ehr-harness 0.2.0', configuration };
  const { differences } = compareReports(report('pass'), report('pass', { only: '5.1' }, meta));
  expect(differences.map(({ what, now }) => `${what}: ${now}`)).toEqual([
    'version: embedded-ehr-harness 0.2.0',
    'seed: 7',
    'configuration server: http://127.0.0.1:4300',
    'configuration otp sms: ["webhook"]',
    'configuration steps deleteUser: none',
    'restricted to: 5.1',
    'configuration retries: 1',
  ]);
});

test('the text tells what got worse first, and ends with the answer', () => {
  const text = (a: Outcome | undefined, b: Outcome | undefined, meta = {}) =>
    comparisonText(compareReports(report(a), report(b, {}, meta)), {
      paint: (_style, word) => word,
      width: 80,
    });
  expect(text('pass', 'fail', { seed: 7 })).toBe(
    [
      'newly failing (1)',
      '  ✕ changing (pass → fail): changing holds',
      '    expected this; actual that',
      '',
      'The runs differ',
      '  seed: 730219 → 7',
      '  conclusion: conformant → not conformant',
      '',
      '1 verdict changed, 1 stayed the same.',
      'worse',
    ].join('\n'),
  );
  expect(text('pass', 'pass')).toBe('No verdict changed, 2 stayed the same.\nnot worse');
  expect(text(undefined, 'pass')).toContain('  · changing (not asked → pass): changing holds');
});

test('two reports are read and compared, the earlier first', () => {
  const directory = temporaryDirectory();
  const [before, after] = [join(directory, 'a.json'), join(directory, 'b.json')];
  const verdicts = fake.verdicts.filter(({ outcome }) => outcome !== 'fail');
  writeFileSync(before, JSON.stringify(fakeReport(fake)));
  writeFileSync(after, JSON.stringify(fakeReport({ ...fake, verdicts })));
  expect(compareFiles(before, after)).toMatchObject({
    exitCode: 0,
    text: expect.stringContaining('removed (2)'),
  });
  expect(compareFiles(after, before)).toMatchObject({
    exitCode: 1,
    text: expect.stringMatching(/added \(2\)\n {2}✕ auth-info-ttl \(not asked → fail\)[\s\S]*\nworse$/),
  });
});

test('a file that is no report is refused', () => {
  const none = join(temporaryDirectory(), 'none.json');
  expect(() => compareFiles(none, none)).toThrow(InputError);
});
