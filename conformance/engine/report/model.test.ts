import { expect, test } from 'vitest';
import { type Demands, usualDemands, type Verdict } from '../check/verdict.ts';
import { fakeReport, fakeRun, known } from './testing/fake-run.ts';
import { evidenceOf } from './words.ts';

const fake = fakeRun({ crowd: 3 });

/** A report of verdicts with these outcomes only. */
function reportWith(
  outcomes: readonly Verdict['outcome'][],
  { finished = true, ...more }: Parameters<typeof fakeReport>[1] & { finished?: boolean } = {},
) {
  const verdicts = fake.verdicts.filter(({ outcome }) => outcomes.includes(outcome));
  const run = { ...fake.run, meta: { ...fake.run.meta, finished } };
  return fakeReport({ ...fake, run, verdicts }, more);
}

test.each([
  { outcomes: ['pass', 'not applicable'], conclusion: 'conformant', exitCode: 0 },
  { outcomes: ['pass', 'warning'], conclusion: 'conformant', exitCode: 0 },
  { outcomes: ['pass', 'warning'], strict: true, conclusion: 'not safe', exitCode: 1 },
  { outcomes: ['pass', 'inconclusive'], conclusion: 'inconclusive', exitCode: 1 },
  { outcomes: ['pass', 'fail'], conclusion: 'not conformant', exitCode: 1 },
  { outcomes: ['warning'], conclusion: 'conformant', exitCode: 0 },
  { outcomes: ['not applicable'], conclusion: 'nothing judged', exitCode: 1 },
  { outcomes: [], conclusion: 'nothing judged', exitCode: 1 },
  { outcomes: ['pass'], finished: false, conclusion: 'broken off', exitCode: 1 },
  { outcomes: ['pass', 'fail'], finished: false, conclusion: 'not conformant', exitCode: 1 },
] as const)(
  '$outcomes, strict $strict, finished $finished, is $conclusion with exit code $exitCode',
  (row) => {
    const demands = { ...usualDemands, strict: 'strict' in row };
    const { summary } = reportWith(row.outcomes, { demands, finished: !('finished' in row) });
    expect(summary).toMatchObject({ conclusion: row.conclusion, exitCode: row.exitCode });
  },
);

test.each(['harness', 'environment'] as const)('a run that only the %s spoils is inconclusive', (blame) => {
  const verdicts = fake.verdicts
    .filter(({ outcome }) => outcome !== 'fail')
    .map((verdict): Verdict => {
      if (verdict.outcome !== 'inconclusive') return verdict;
      return { ...verdict, finding: { ...verdict.finding, blame } };
    });
  const { summary } = fakeReport({ ...fake, verdicts });
  expect(summary).toMatchObject({ conclusion: 'inconclusive', exitCode: 1 });
  expect(summary.sentence).toContain('Nothing was found against it');
  // A warning counts with --strict.
  const strict = { ...usualDemands, strict: true };
  expect(fakeReport({ ...fake, verdicts }, { demands: strict }).summary.conclusion).toBe('not safe');
});

test('a set-up that is not ready gives no verdict, and each requirement says so', () => {
  const notSetUp = [{ problem: 'The server does not answer.', remedy: 'Start it.' }];
  const run = { ...fake.run, entries: [] };
  const report = fakeReport({ ...fake, run, verdicts: [] }, { notSetUp });
  expect(report.summary).toMatchObject({
    conclusion: 'not set up',
    exitCode: 2,
    sentence: 'The set-up is not ready, so the server was not judged.',
  });
  expect(report.notSetUp).toEqual(notSetUp);
  expect(report.requirements.find(({ id }) => id === '2.3-ttl')).toMatchObject({
    status: 'not judged',
    because: 'the set-up was not ready, so nothing was judged',
  });
});

test('outcomes are counted in all and for each part', () => {
  const { summary } = fakeReport(fake);
  const counts = { fail: 2, inconclusive: 1, warning: 2, pass: 11, 'not applicable': 2 };
  expect(summary.counts).toEqual(counts);
  expect(summary.parts.safety.checks).toMatchObject({ fail: 0, warning: 2 });
  expect(summary.parts.interface.checks).toMatchObject({ fail: 2, warning: 0 });
  expect(summary.sentence).toBe(
    'Of 16 checks that apply, 2 failed, 1 could not be judged, 2 gave a warning and 11 passed. Not judged: wrong-code-refused.',
  );
});

test('the sentence says what keeps the verdict from being the whole truth', () => {
  const { summary } = reportWith(['pass'], { only: '5.1', finished: false });
  expect(summary.sentence).toBe(
    'All 11 checks that apply passed. The run was broken off: what was not played could not be judged. The run was restricted to 5.1: the rest was not asked.',
  );
});

const RED = ['auth-info-ttl', 'session-dead-after-logout', 'wrong-code-refused'];

test('a failure that is known does not break the run, and is told', () => {
  const report = fakeReport(fake, { baseline: RED.map((check) => known(check)) });
  expect(report.summary).toMatchObject({ conclusion: 'not conformant', exitCode: 0, known: 3 });
  expect(report.summary.sentence).toContain('3 of them are known and do not count.');
  expect(report.verdicts.find(({ check }) => check === RED[0])?.known).toBe('ticket 12');
});

test('a known failure that passes now breaks the run', () => {
  const report = reportWith(['pass'], { baseline: [known('digest-shape')] });
  expect(report.summary).toMatchObject({ conclusion: 'known failures out of date', exitCode: 1 });
  expect(report.summary.sentence).toContain('1 entry of the list of known failures no longer holds.');
  expect(report.staleBaseline).toMatchObject([{ check: 'digest-shape' }]);
});

test('the headline says how much was judged, and why the rest was not', () => {
  const { summary, requirements } = reportWith(['pass']);
  const own = requirements.filter(({ part }) => part === 'interface');
  const judged = own.filter(({ status }) => status !== 'not judged').length;
  const unseen = own.filter(({ unjudged }) => unjudged === 'no check').length;
  const { headline } = summary.parts.interface;
  expect(headline).toMatch(new RegExp(`^conformant \\(${judged} of ${own.length} requirements judged; `));
  expect(headline).toContain(`${unseen} have no check`);
  // Every row that was not judged is counted once.
  const counted = [...headline.matchAll(/\d+/g)].map(([number]) => Number(number));
  const [, total, ...rest] = counted;
  expect(judged + rest.reduce((sum, number) => sum + number, 0)).toBe(total);
  expect(reportWith(['pass'], { finished: false }).summary.parts.interface.headline).toMatch(
    /^conformant, broken off \(/,
  );
});

type Broken = { part: Verdict['part']; outcome: 'fail' | 'warning' };

/** The report of a party that does one thing wrong, in each of these parts. */
function reportOfFaults(faults: readonly Broken[], demands: Partial<Demands> = {}, id?: string) {
  const [failure] = fake.verdicts.flatMap(({ finding }) => (finding.outcome === 'fail' ? [finding] : []));
  const wrong = faults.map(({ part, outcome }): Verdict => {
    const about = {
      check: `wrong-${part}-${outcome}`,
      title: 'It is wrong',
      part,
      scenarios: ['first-link'],
    };
    const level = outcome === 'warning' ? 'SHOULD' : 'MUST';
    const requirements = [(id ?? ROWS[`${part} ${outcome}`]) as Verdict['requirements'][number]];
    return { ...about, level, requirements, outcome, finding: failure } as Verdict;
  });
  const right = fake.verdicts.filter(({ outcome }) => outcome === 'pass');
  const checks = [...right, ...wrong].map(({ check: id, ...about }) => ({ ...about, id, watchable: false }));
  return fakeReport(
    { ...fake, verdicts: [...right, ...wrong] },
    { checks: checks as unknown as typeof fake.checks, demands: { ...usualDemands, ...demands } },
  );
}

const ROWS: Readonly<Record<string, string>> = {
  'interface fail': '2.3-ttl',
  'safety fail': 'K-internal-secrets-kept',
  'safety warning': 'K-failure-told',
};

const WEAK: Broken = { part: 'safety', outcome: 'fail' };
const ADVISED: Broken = { part: 'safety', outcome: 'warning' };
const BROKEN: Broken = { part: 'interface', outcome: 'fail' };

test.each<[readonly Broken[], Partial<Demands>, conclusion: string, exitCode: 0 | 1]>([
  [[WEAK], {}, 'not safe', 1],
  [[WEAK], { gate: 'interface' }, 'conformant', 0],
  [[ADVISED], { strict: true, gate: 'interface' }, 'conformant', 0],
  [[WEAK, BROKEN], { gate: 'interface' }, 'not conformant', 1],
])('%j with the demands %o is %s with exit code %i', (faults, demands, conclusion, exitCode) => {
  expect(reportOfFaults(faults, demands).summary).toMatchObject({ conclusion, exitCode });
});

test('each part of the conclusion has its own line', () => {
  const { parts } = reportOfFaults([BROKEN, WEAK, ADVISED]).summary;
  expect(parts.interface.headline).toMatch(/^not conformant: 1 broken \(\d+ of \d+ requirements judged/);
  expect(parts.safety.headline).toMatch(/^1 weakness, 1 recommendation \(\d+ of \d+ requirements judged/);
});

const FACT: Broken = { part: 'interface', outcome: 'warning' };

test('a fact of the field is a recommendation, which counts with --strict alone', () => {
  const fact = (strict: boolean) => reportOfFaults([FACT], { strict }, 'D2-rpc-is-200');
  const { summary, requirements } = fact(false);
  expect(summary).toMatchObject({ conclusion: 'conformant', exitCode: 0 });
  const { headline } = summary.parts.interface;
  expect(headline).toMatch(/^conformant, 1 recommendation, 1 of them a fact of the field \(/);
  expect(summary.sentence).toContain('of the field: clients that are deployed depend on it.');
  expect(requirements.find(({ id }) => id === 'D2-rpc-is-200')).toMatchObject({
    source: 'field',
    part: 'interface',
    status: 'warning',
    basis: 'clients that are deployed depend on it',
  });
  const { summary: strict } = fact(true);
  expect(strict).toMatchObject({ conclusion: 'not conformant', exitCode: 1 });
  expect(strict.parts.interface.headline).toMatch(/^not conformant by --strict, 1 recommendation, /);
});

test('a check without a verdict leaves conformity open', () => {
  const { headline } = reportWith(['pass', 'inconclusive']).summary.parts.interface;
  expect(headline).toMatch(/^inconclusive, 1 could not be judged \(/);
});

test('every entry that a verdict names is in the report, once and in order', () => {
  const report = fakeReport(fake);
  const named = report.verdicts.flatMap(({ finding }) => evidenceOf(finding));
  const seqs = report.entries.map(({ seq }) => seq);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((seq) => !seqs.includes(seq))).toEqual([]);
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
});

test('a verdict that names an entry which the journal does not have is refused', () => {
  const [first, ...rest] = fake.verdicts;
  const wrong = { ...first, outcome: 'pass', finding: { outcome: 'pass', evidence: [999_999] } } as Verdict;
  expect(() => fakeReport({ ...fake, verdicts: [wrong, ...rest] })).toThrow(
    'exchange-token-ehr-first names entry 999999, which is not in the journal',
  );
});

test('the same journal gives the same report, byte for byte', () => {
  expect(JSON.stringify(fakeReport(fake))).toBe(JSON.stringify(fakeReport(fakeRun({ crowd: 3 }))));
});

test('scenarios tell how far they went', () => {
  const report = fakeReport(fakeRun({ crowd: 3, finished: false }));
  const of = (name: string) => report.scenarios.find(({ scenario }) => scenario === name);
  expect(report.scenarios).toHaveLength(8);
  expect(of('first-link')).toMatchObject({ finished: true, steps: 7, exchanges: 10 });
  expect(of('stopped')?.stopped?.blame).toBe('auth server');
  expect(of('deletion')).toMatchObject({ finished: true, absent: ['deleteUser'], steps: 0 });
  expect(of('crowd')).toMatchObject({ finished: false });
});
