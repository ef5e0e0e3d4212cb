import { expect, test } from 'vitest';
import type { Entry, ExchangeEntry, Link, ScenarioEntry, StepName, StepResult } from '../journal/entry.ts';
import type { RunMeta } from '../journal/run-file.ts';
import { exchange as exchangeOf, response } from '../journal/testing/exchanges.ts';
import type { Check } from './check.ts';
import { isDisturbed, judge } from './judge.ts';
import { fail, inconclusive, pass } from './testing/findings.ts';
import type { Finding } from './verdict.ts';

const meta = { mode: 'scenarios', finished: true } as RunMeta;

const judging = (finding: Finding): Check => ({
  id: 'a-check',
  title: 'A check',
  requirements: ['4.1-params'],
  scenarios: ['one'],
  watchable: false,
  judge: () => finding,
});

const failure = (timeSensitive: boolean, evidence = [2]) =>
  fail({ expected: 'this', actual: 'that', evidence, advice: 'mend it', timeSensitive });

const verdictOn = (finding: Finding, ...meanwhile: Entry[]) => verdictAfter({}, finding, ...meanwhile);

const verdictStoppedOn = (stopped: NonNullable<ScenarioEntry['stopped']>, ...meanwhile: Entry[]) =>
  verdictAfter({ stopped }, inconclusive(stopped.because), ...meanwhile);

function verdictAfter(ending: Pick<ScenarioEntry, 'stopped'>, finding: Finding, ...meanwhile: Entry[]) {
  const entries: Entry[] = [
    { kind: 'scenario', seq: 1, at: 0, scenario: 'one', phase: 'begin' },
    { kind: 'note', seq: 2, at: 5, scenario: 'one', text: 'before' },
    ...meanwhile,
    { kind: 'note', seq: 8, at: 80, scenario: 'one', text: 'after' },
    { kind: 'scenario', seq: 9, at: 90, scenario: 'one', phase: 'end', ...ending },
  ];
  const [verdict] = judge({ meta, entries }, { checks: [judging(finding)], party: 'auth server' });
  if (!verdict) throw new Error('There is no verdict.');
  return verdict;
}

test('a pass stands only where each scenario of the check ran to its end', () => {
  const check: Check = { ...judging(pass([1])), scenarios: ['one', 'two'] };
  const scenario = (seq: number, name: string, phase: 'begin' | 'end'): Entry => ({
    ...{ kind: 'scenario', seq, at: seq, scenario: name, phase },
  });
  const [begun, ended] = [scenario(1, 'one', 'begin'), scenario(2, 'one', 'end')];
  const outcome = (finished: boolean, ...entries: Entry[]) =>
    judge({ meta: { ...meta, finished }, entries }, { checks: [check], party: 'auth server' })[0]?.outcome;
  const other = [scenario(3, 'two', 'begin'), scenario(4, 'two', 'end')] as const;
  for (const finished of [true, false]) {
    expect(outcome(finished, begun, ended, ...other)).toBe('pass');
    expect(outcome(finished, begun, ended)).toBe('inconclusive');
    expect(outcome(finished, begun, ended, other[0])).toBe('inconclusive');
  }
});

test('a check that throws is inconclusive, and the others are judged', () => {
  const broken: Check = {
    ...judging(pass([1])),
    judge() {
      throw new TypeError('no such member');
    },
  };
  const checks = [broken, judging(failure(false))];
  const [thrown, other] = judge({ meta, entries: [] }, { checks, party: 'auth server' });
  expect(thrown).toMatchObject({ outcome: 'inconclusive', finding: { blame: 'harness' } });
  expect(thrown?.finding).toMatchObject({ because: expect.stringContaining('TypeError: no such member') });
  expect(other?.outcome).toBe('fail');
});

const silence: Entry = { kind: 'silence', seq: 5, at: 50, took: 600 };
const death: Entry = { kind: 'server', seq: 5, at: 50, event: 'died', ended: 'ended with code 1' };

test('what a silence of the kit may have caused is inconclusive', () => {
  for (const finding of [failure(true), inconclusive('the control failed')]) {
    const verdict = verdictOn(finding, silence);
    expect(verdict.outcome).toBe('inconclusive');
    expect(verdict.finding).toMatchObject({ blame: 'harness', because: expect.stringContaining('600 ms') });
    expect(isDisturbed(verdict)).toBe(true);
  }
});

test('what no silence can have caused stays', () => {
  // A short one, and a clear refusal by the server under test.
  expect(isDisturbed(verdictOn(inconclusive('the control failed'), { ...silence, took: 500 } as Entry))).toBe(
    false,
  );
  const refused: Entry[] = [
    { kind: 'step', seq: 6, at: 60, scenario: 'one', step: 'exchangeToken', label: 'ask', user: 'one' },
    { ...outcomeOf({ kind: 'refused', status: 401 }), seq: 7, step: 6 } as Entry,
  ];
  const stopped = { because: 'the step "ask" ought to succeed', blame: 'auth server' } as const;
  const verdict = verdictOn(inconclusive(stopped.because), silence, ...refused);
  expect(isDisturbed(verdict)).toBe(true);
  expect(isDisturbed(verdictStoppedOn(stopped, silence, ...refused))).toBe(false);
  expect(verdictOn(failure(false), silence).outcome).toBe('fail');
  expect(verdictOn(pass([2]), silence).outcome).toBe('pass');
  expect(verdictOn(failure(true)).outcome).toBe('fail');
  expect(verdictOn(failure(true), { ...silence, at: 800 } as Entry).outcome).toBe('fail');
});

const exchange = (link: Link, about: Partial<ExchangeEntry>): ExchangeEntry =>
  exchangeOf(3, { at: 10, endedAt: 40, scenario: 'one', link, ...about });
const outcomeOf = (result: StepResult): Entry => ({
  ...{ kind: 'outcome', seq: 3, at: 40, scenario: 'one', step: 2, took: 30 },
  result,
});
const errorOfItsOwn = { response: response('', { status: 502 }) };

test('a failure of the server while the kit stood still is no proof', () => {
  const givenUp = [
    exchange('auth->ehr', { broke: 'closed-early' }),
    exchange('client->auth', errorOfItsOwn),
    outcomeOf({ kind: 'failed', what: 'server-error', detail: 'HTTP 502' }),
  ];
  for (const entry of givenUp) {
    expect(verdictOn(failure(false, [3]), entry, silence).outcome).toBe('inconclusive');
    expect(verdictOn(failure(false, [2]), entry, silence).outcome).toBe('fail');
    expect(verdictOn(failure(false, [3]), entry).outcome).toBe('fail');
    // The kit stood still later.
    expect(verdictOn(failure(false, [3]), entry, { ...silence, at: 660 } as Entry).outcome).toBe('fail');
  }
  const meant = exchange('auth->ehr', { broke: 'closed-early', fault: 'hang' });
  expect(verdictOn(failure(false, [3]), meant, silence).outcome).toBe('fail');
  expect(verdictOn(failure(false, [3]), outcomeOf({ kind: 'done', values: {} }), silence).outcome).toBe(
    'fail',
  );
});

test('a stall of the kit explains nothing that a message has in it', () => {
  const entries: Entry[] = [
    { kind: 'step', seq: 2, at: 5, scenario: 'one', step: 'exchangeToken', label: 'ask', user: 'one' },
    exchange('auth->ehr', { broke: 'closed-early', endedAt: 700 }),
  ];
  const outcome = (evidence: number[], ofContents: boolean) => {
    const checks = [{ ...judging(failure(false, evidence)), ofContents }];
    return judge({ meta, entries }, { checks, party: 'auth server' })[0]?.outcome;
  };
  expect(outcome([3], true)).toBe('fail');
  expect(outcome([3], false)).toBe('inconclusive');
  expect(outcome([2, 3], true)).toBe('inconclusive');
});

test('a silence of less than a quarter of a late step is no reason', () => {
  const late: Entry = { ...outcomeOf({ kind: 'failed', what: 'timeout', detail: '' }), took: 4_000 } as Entry;
  const after = (took: number) => verdictOn(failure(true, [3]), late, { ...silence, took } as Entry).outcome;
  expect(after(999)).toBe('fail');
  expect(after(1_000)).toBe('inconclusive');
});

test('a call that the kit itself left unanswered for long is no proof', () => {
  const late = (endedAt: number, about: Partial<ExchangeEntry> = {}) =>
    verdictOn(failure(false, [3]), exchange('auth->ehr', { broke: 'closed-early', endedAt, ...about }));
  expect(late(511).outcome).toBe('inconclusive');
  expect(isDisturbed(late(511))).toBe(true);
  expect(late(510).outcome).toBe('fail');
  expect(late(2_000, { fault: 'hang' }).outcome).toBe('fail');
  expect(late(2_000, { link: 'client->auth' }).outcome).toBe('fail');
  expect(late(2_000, { response: response('') }).outcome).toBe('fail');
});

test('a call that waited during a silence is no proof', () => {
  const givenUp = (at: number) => exchange('auth->ehr', { broke: 'closed-early', at, endedAt: at + 1 });
  expect(verdictOn(failure(false, [3]), givenUp(5_050), silence).outcome).toBe('inconclusive');
  expect(verdictOn(failure(false, [3]), givenUp(5_051), silence).outcome).toBe('fail');
});

test('where the server died meanwhile there is one cause, and nothing is passed', () => {
  for (const finding of [failure(true), failure(false, [8]), inconclusive('no control'), pass([2])]) {
    const verdict = verdictOn(finding, death);
    expect(verdict.outcome).toBe('inconclusive');
    expect(verdict.finding).toMatchObject({
      blame: 'auth server',
      because: 'the server under test died meanwhile: it ended with code 1',
      evidence: [5],
    });
    expect(isDisturbed(verdict)).toBe(false);
  }
});

test('what was seen before the server died is proof, and so is its death', () => {
  expect(verdictOn(failure(false, [2]), death).outcome).toBe('fail');
  expect(verdictOn(failure(false, [5]), death).outcome).toBe('fail');
});

test('a limit on the requests of an address is no fault', () => {
  const limited = exchange('client->auth', { step: 2, response: response('', { status: 429 }) });
  const during = (name: StepName): Entry[] => [
    { kind: 'step', seq: 2, at: 6, scenario: 'one', label: 'a step', user: 'Ann', step: name },
    limited,
    { ...outcomeOf({ kind: 'refused', status: 429 }), seq: 4 } as Entry,
  ];
  const stopped = { because: 'the step ought to succeed', blame: 'auth server' } as const;
  for (const verdict of [
    verdictOn(failure(false, [3]), ...during('exchangeToken')),
    verdictStoppedOn(stopped, ...during('exchangeToken')),
  ]) {
    expect(verdict.outcome).toBe('inconclusive');
    expect(verdict.finding).toMatchObject({
      blame: 'environment',
      because: expect.stringContaining('server.requestsPerSecond'),
    });
  }
  expect(verdictOn(failure(false, [8]), ...during('exchangeToken')).outcome).toBe('fail');
  const other = verdictAfter({ stopped }, inconclusive('for another reason'), ...during('exchangeToken'));
  expect(other.finding).toMatchObject({ because: 'for another reason' });
  expect(verdictOn(failure(false, [3]), ...during('confirmOtp')).outcome).toBe('fail');
});
