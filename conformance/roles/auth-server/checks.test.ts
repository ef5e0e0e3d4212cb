import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { copyOf, reversed, unanswered, withMethod } from '../../engine/check/testing/copies.ts';
import { brokenChecks, greener } from '../../engine/check/testing/findings.ts';
import type { Verdict } from '../../engine/check/verdict.ts';
import { isLeftByKit, scenarioOf, scenariosByEntry } from '../../engine/journal/attribution.ts';
import type { Entry, Label } from '../../engine/journal/entry.ts';
import { lastAttempts } from '../../engine/journal/played-steps.ts';
import { faultOfRun, type Run } from '../../engine/journal/run-file.ts';
import { JournalView, type PlayedStep } from '../../engine/journal/view.ts';
import { matrixOf } from '../../engine/report/matrix.ts';
import { judge } from '../judge.ts';
import { checks } from './checks.ts';
import { scenarios } from './flows/index.ts';
import { SAVE_AUTH_INFO, sentTo } from './internal-calls.ts';
import { catalogue } from './self-test/self-test.ts';

/** The checks that apply to the mock, which has no SMS gateway. */
const ofMock = checks.filter(({ id }) => !catalogue.mayNotApply(id));
const options = { clock: systemClock, seed: 1, signal: new AbortController().signal };

let run: Run;
let text: string;
/** The scenario of each entry. */
let scenarioBySeq: ReadonlyMap<number, string>;
beforeAll(async () => {
  const played = await catalogue.play(catalogue.reference, options, {});
  // The load of this machine must not matter here.
  const quiet = lastAttempts(played.entries).filter((e) => e.kind !== 'silence' && !isLeftByKit(e));
  run = { ...played, entries: quiet };
  text = JSON.stringify(run.entries);
  scenarioBySeq = scenariosByEntry(run.entries);
}, 240_000);
afterAll(() =>
  expect(JSON.stringify(run.entries) === text, 'the journal is still the one that was played').toBe(true),
);

const judged = (entries: readonly Entry[], meta: Partial<Run['meta']> = {}) =>
  judge({ meta: { ...run.meta, ...meta }, entries });

test('a right server passes every check, and its run fits the schema of files', () => {
  expect(faultOfRun(JSON.parse(JSON.stringify(run)))).toBeUndefined();
  const idsOfMock = new Set(ofMock.map(({ id }) => id));
  const isRight = ({ check, outcome }: Verdict) =>
    outcome === 'pass' || (outcome === 'not applicable' && !idsOfMock.has(check));
  expect(judged(run.entries).filter((verdict) => !isRight(verdict))).toEqual([]);
});

test.each(['constructor', '__proto__'])('calls of a method %s break no check', (method) =>
  expect(brokenChecks(judged(withMethod(method, run.entries)))).toEqual([]),
);

/** The entries without those of these scenarios, as if they had not been played. */
const without = (entries: readonly Entry[], left: readonly string[]) =>
  entries.filter(({ seq }) => !left.includes(scenarioBySeq.get(seq) ?? ''));

const scenarioIds = scenarios.map(({ id }) => id);

test.each([
  ['refuses everything', { kind: 'refused', status: 400, reason: 'no' }],
  [
    'answers 200 {} to everything',
    { kind: 'failed', what: 'unexpected-answer', detail: 'it lacks what it must carry' },
  ],
] as const)('a server that %s passes no check at all', (_what, result) => {
  const entries = run.entries.flatMap((entry): Entry[] => {
    // Such a server sends no code, so nothing could be counted.
    if (entry.kind === 'code' || entry.kind === 'observation') return [];
    if (entry.kind === 'exchange') return entry.link === 'client->auth' ? [entry] : [];
    return [entry.kind === 'outcome' ? { ...entry, result } : entry];
  });
  // Its received data is judged separately and may well be free of patient data.
  const passed = judged(entries).filter(
    ({ outcome, check }) => outcome === 'pass' && check !== 'no-patient-data',
  );
  expect(passed.map(({ check }) => check)).toEqual([]);
});

const OF_FAULTS = [
  ...['no-redirect-followed', 'redirect-told', 'trouble-told-at-exchange-token', 'trouble-told-at-link'],
  ...['trouble-told-at-sign-in', 'understands-reply'],
];

test('where no fault was met, nothing is said about how faults are taken', () => {
  const entries = run.entries.map((entry): Entry => {
    if (entry.kind !== 'exchange') return entry;
    const { fault: _unmet, ...rest } = entry;
    return rest;
  });
  const isOfFaults = /^trouble-told-|^understands-|redirect/;
  const verdicts = judged(entries).filter(({ check }) => isOfFaults.test(check));
  expect(verdicts.map(({ check }) => check).sort()).toEqual(OF_FAULTS);
  expect(verdicts.filter(({ outcome }) => outcome === 'pass').map(({ check }) => check)).toEqual([]);
});

test('an empty journal passes nothing, in either mode, finished or not', () => {
  for (const mode of ['scenarios', 'watch'] as const)
    for (const finished of [true, false])
      expect(judged([], { mode, finished }).filter(({ outcome }) => outcome === 'pass')).toEqual([]);
});

/** A journal is cut at each sixth end of a scenario, because each cut takes the time to judge a whole run. */
const ENDS_A_CUT = 6;

test('a journal that is broken off passes no check whose scenario had not ended', () => {
  const ends = run.entries.filter((e) => e.kind === 'scenario' && e.phase === 'end');
  for (const end of ends.filter((_, index) => index % ENDS_A_CUT === 0)) {
    const cut = run.entries.filter(({ seq }) => seq < end.seq);
    const ended = new Set(ends.filter(({ seq }) => seq < end.seq).map(scenarioOf));
    const open = checks.filter((check) => check.scenarios.some((name) => !ended.has(name)));
    const verdicts = judge({ meta: { ...run.meta, finished: false }, entries: cut }, { checks: open });
    expect(verdicts.filter(({ outcome }) => outcome === 'pass')).toEqual([]);
  }
}, 240_000);

test('judging twice gives the same bytes, and the order of members says nothing', () => {
  const once = JSON.stringify(judged(run.entries));
  expect(JSON.stringify(judged(run.entries))).toBe(once);
  expect(JSON.stringify(judged(JSON.parse(JSON.stringify(run.entries)) as Entry[]))).toBe(once);
  expect(JSON.stringify(judged(reversed(run.entries)))).toBe(once);
});

/** Labels of steps that a server may cause, and this right one does not. */
const SOMETIMES = [
  // The refusal of a wrong code carries a token.
  /carries$|invented value in its place$/,
  // The file names no phone without an entry, or no report of a link.
  /entry (is|was) removed$|^return without an entry$|^Ned returns/,
  // The ttl counts seconds.
  /counts seconds$/,
  // The first of several attempts was accepted.
  /, time [2-5]$/,
  // A session ended, or a call was refused, where it ought not.
  /signs in again|^the other Vic|Olaf|^Pia asks/,
  // A request for two phones sent a code to the second.
  /Jan's (first|last)$/,
  // The same code was sent again after as many guesses as it stands.
  /^right code of Gil after many guesses/,
  // Such bytes are sent in a code alone, and not in a phone.
  /half a character$|code with a byte that is no UTF-8$/,
];

test('every label in a check is that of a step that a flow plays', () => {
  const missing = new Set<string>();
  class SeekingView extends JournalView {
    override steps(label: Label): PlayedStep[] {
      const found = super.steps(label);
      if (found.length === 0) missing.add(label.label);
      return found;
    }
  }
  const journal = new SeekingView(run.entries);
  for (const check of ofMock) check.judge(journal);
  expect([...missing].filter((label) => !SOMETIMES.some((pattern) => pattern.test(label)))).toEqual([]);
});

const rowsOf = (verdicts: readonly Verdict[]) =>
  matrixOf({ mode: 'scenarios', role: 'auth-server', checks, verdicts, only: undefined, notSetUp: false });

const met = (verdicts: readonly Verdict[]): ReadonlySet<string> =>
  new Set(rowsOf(verdicts).flatMap(({ id, status }) => (status === 'met' ? [id] : [])));

/** Few samples, because each judges a whole run. */
const SAMPLE = { numRuns: 8, seed: 1 };

const someScenarios = fc.subarray(scenarioIds, { minLength: 1 });

test('a right server’s shortened journal makes no check greener', () => {
  const whole = judged(run.entries);
  const metInAll = met(whole);
  fc.assert(
    fc.property(someScenarios, (left) => {
      const after = judged(without(run.entries, left));
      expect(greener(whole, after)).toEqual([]);
      expect([...met(after)].filter((id) => !metInAll.has(id))).toEqual([]);
      // Half of a check's evidence shows nothing about the other half.
      const passed = after.filter(({ outcome }) => outcome === 'pass');
      expect(passed.filter((verdict) => verdict.scenarios.some((name) => left.includes(name)))).toEqual([]);
    }),
    SAMPLE,
  );
}, 240_000);

test('every pass names entries', () => {
  for (const { finding, check } of judged(run.entries))
    if (finding.outcome === 'pass') expect(finding.evidence.length, check).toBeGreaterThan(0);
});

test('only entries about a requirement meet it', () => {
  const withoutSaves = run.entries.filter(
    (entry) => entry.kind !== 'exchange' || entry.facts.call?.method !== SAVE_AUTH_INFO,
  );
  const verdicts = judged(withoutSaves, { mode: 'watch' });
  expect(verdicts.find(({ check }) => check === 'cred-present')?.outcome).toBe('pass');
  const rows = met(verdicts);
  expect(rows).toContain('4.2-cred-required');
  for (const id of ['4.1-cred-required', '4.1-params', '4.1-internal-channel', '3-save-opens', '5.1-digest'])
    expect(rows).not.toContain(id);
});

test('every row of the matrix that was not judged says why', () => {
  for (const verdicts of [judged(run.entries), judged([]), judged(run.entries, { mode: 'watch' })]) {
    const silent = rowsOf(verdicts).filter(({ status, because }) => status === 'not judged' && !because);
    expect(silent.map(({ id }) => id)).toEqual([]);
  }
});

test('a save after the answer records the link, and is told as late', () => {
  const entries = copyOf(run.entries);
  const played = new JournalView(entries).step({ scenario: 'first-link', label: 'link: report' });
  const end = entries.find((entry) => entry.kind === 'outcome' && entry.step === played?.step.seq);
  // Other users save at the same time, so the save is that of this very step.
  const [save] = played ? sentTo(played, SAVE_AUTH_INFO) : [];
  if (!end || !save) throw new Error('Nothing was saved.');
  Object.assign(end, { seq: save.seq - 0.5, at: save.at });
  Object.assign(save, { endedAt: save.endedAt + 60_000 });
  const verdicts = judged(entries.sort((a, b) => a.seq - b.seq));
  const outcomeOf = (id: string) => verdicts.find(({ check }) => check === id)?.outcome;
  expect(outcomeOf('link-recorded')).toBe('pass');
  expect(outcomeOf('saved-before-answer')).toBe('warning');
});

test('a request that is not answered makes no check inapplicable', () => {
  for (const { id, checks: own } of scenarios) {
    const entries = run.entries.filter(
      ({ seq }) => scenarioBySeq.get(seq) === id || scenarioBySeq.get(seq) === '',
    );
    const right = judge({ meta: run.meta, entries }, { checks: own });
    const passed = own.filter((_, index) => right[index]?.outcome === 'pass');
    for (const { seq } of entries.filter(({ kind }) => kind === 'step')) {
      const after = judge({ meta: run.meta, entries: unanswered(entries, seq) }, { checks: passed });
      expect(after.filter(({ outcome }) => outcome === 'not applicable')).toEqual([]);
    }
  }
}, 240_000);
