import { expect, test } from 'vitest';
import { SAVE_AUTH_INFO } from '../../roles/auth-server/internal-calls.ts';
import { callRules } from '../../roles/auth-server/rules/calls.ts';
import type { Entry, ExchangeEntry, Link, ScenarioEntry, StepName, StepResult } from '../journal/entry.ts';
import type { RunMeta } from '../journal/run-file.ts';
import type { Check } from './check.ts';
import { isDisturbed, judge } from './judge.ts';
import { fail, inconclusive, pass } from './testing/findings.ts';
import type { Finding } from './verdict.ts';

const meta: RunMeta = {
  tool: 'test',
  node: '20',
  startedAt: '2026-01-15T09:00:00.000Z',
  seed: 1,
  mode: 'scenarios',
  target: 'server',
  configuration: {},
  abilities: { absentSteps: [], canAdvanceClock: true, otpLifetimeSeconds: undefined },
  longestSilenceMs: 0,
  finished: true,
};

const judging = (finding: Finding): Check => ({
  id: 'a-check',
  title: 'A check',
  level: 'MUST',
  requirements: ['K-failure-told'],
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

const silence: Entry = { kind: 'silence', seq: 5, at: 50, took: 600 };
const death: Entry = { kind: 'server', seq: 5, at: 50, event: 'died', ended: 'ended with code 1' };

test('effects of a silence of the kit are inconclusive, blamed on the harness', () => {
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

const exchange = (link: Link, about: Partial<ExchangeEntry>): ExchangeEntry => ({
  ...{ kind: 'exchange', seq: 3, at: 10, endedAt: 40, scenario: 'one', link, facts: {} },
  request: { httpVersion: '1.1', method: 'POST', path: '/', headers: [], body: '' },
  ...about,
});
const outcomeOf = (result: StepResult): Entry => ({
  ...{ kind: 'outcome', seq: 3, at: 40, scenario: 'one', step: 2, took: 30 },
  result,
});
const errorOfItsOwn = { response: { status: 502, headers: [], body: '' } };

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

test('a call that the kit itself left unanswered for long is no proof', () => {
  const late = (endedAt: number, about: Partial<ExchangeEntry> = {}) =>
    verdictOn(failure(false, [3]), exchange('auth->ehr', { broke: 'closed-early', endedAt, ...about }));
  expect(late(511).outcome).toBe('inconclusive');
  expect(isDisturbed(late(511))).toBe(true);
  expect(late(510).outcome).toBe('fail');
  expect(late(2_000, { fault: 'hang' }).outcome).toBe('fail');
  expect(late(2_000, { link: 'client->auth' }).outcome).toBe('fail');
  expect(late(2_000, { response: { status: 200, headers: [], body: '' } }).outcome).toBe('fail');
});

test('a call that waited during a silence is no proof', () => {
  const givenUp = (at: number) => exchange('auth->ehr', { broke: 'closed-early', at, endedAt: at + 1 });
  expect(verdictOn(failure(false, [3]), givenUp(5_050), silence).outcome).toBe('inconclusive');
  expect(verdictOn(failure(false, [3]), givenUp(5_051), silence).outcome).toBe('fail');
});

test('a call that a dying server left is not expected to be accepted', () => {
  const saved = { call: { method: SAVE_AUTH_INFO, params: {} } } as ExchangeEntry['facts'];
  const accepted = exchange('auth->ehr', { seq: 4, facts: { ...saved, reply: { result: true } } });
  const left = (at: number) =>
    exchange('auth->ehr', { broke: 'closed-early', at, endedAt: at + 20, facts: saved });
  const [died, started] = [
    { ...death, at: 3_194 },
    { kind: 'server', event: 'started', seq: 6, at: 3_347 },
  ] as const;
  const outcome = (...entries: Entry[]) =>
    judge(
      { meta: { ...meta, mode: 'watch' }, entries },
      { checks: callRules.filter(({ id }) => id === 'calls-accepted'), party: 'auth server' },
    ).map((verdict) => verdict.outcome);
  for (const at of [3_170, 3_201]) expect(outcome(left(at), accepted, died, started)).toEqual(['pass']);
  for (const at of [1_000, 3_400]) expect(outcome(left(at), accepted, died, started)).toEqual(['fail']);
  expect(outcome(left(3_201), accepted)).toEqual(['fail']);
});

test('a save that repeats an unanswered one is not expected to be accepted', () => {
  const call = { method: SAVE_AUTH_INFO, params: {}, user: 'ann', token: 't-1' };
  const digest = { over: { kind: 'user-sign', owner: 'ann', sign: 's-1' } };
  const facts = { call, digest, fresh: { 't-1': {} } } as unknown as ExchangeEntry['facts'];
  // In a watched session a refusal counts only where the link was shown that it is about.
  const linked = exchange('client->ehr', { seq: 1, facts: { link: { user: 'ann', sign: 's-1' } } });
  const refused = { result: false, code: -34003, reason: 'token_already_stored' };
  const accepted = exchange('auth->ehr', {
    seq: 9,
    facts: { call: { ...call, token: 't-9' }, reply: { result: true } } as ExchangeEntry['facts'],
  });
  const again = exchange('auth->ehr', {
    ...{ seq: 5, facts: { ...facts, reply: refused } },
    response: { status: 200, headers: [], body: '' },
  });
  const outcome = (...entries: Entry[]) =>
    judge(
      { meta: { ...meta, mode: 'watch' }, entries },
      { checks: callRules.filter(({ id }) => id === 'calls-accepted'), party: 'auth server' },
    ).map((verdict) => verdict.outcome);
  const unanswered = exchange('auth->ehr', { seq: 4, broke: 'closed-early', endedAt: 2_000, facts });
  expect(outcome(linked, unanswered, again, accepted)).toEqual(['pass']);
  const ofAnother = exchange('auth->ehr', {
    ...unanswered,
    facts: { call: { ...call, token: 't-2' } } as ExchangeEntry['facts'],
  });
  expect(outcome(linked, ofAnother, again, accepted)).toEqual(['fail']);
  expect(outcome(ofAnother, again, accepted)).toEqual(['pass']);
});

test('a call that the kit answered late is not expected to be accepted', () => {
  const saved = { call: { method: SAVE_AUTH_INFO, params: {} } } as ExchangeEntry['facts'];
  const accepted = { seq: 4, facts: { ...saved, reply: { result: true } } };
  const late = { broke: 'closed-early', endedAt: 2_000, facts: saved } as const;
  const outcome = (...exchanges: ExchangeEntry[]) =>
    judge(
      { meta: { ...meta, mode: 'watch' }, entries: exchanges },
      { checks: callRules.filter(({ id }) => id === 'calls-accepted'), party: 'auth server' },
    ).map((verdict) => verdict.outcome);
  expect(outcome(exchange('auth->ehr', late), exchange('auth->ehr', accepted))).toEqual(['pass']);
  expect(outcome(exchange('auth->ehr', late))).toEqual(['inconclusive']);
  const early = exchange('auth->ehr', { ...late, endedAt: 100 });
  expect(outcome(early, exchange('auth->ehr', accepted))).toEqual(['fail']);
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
  const limited = exchange('client->auth', { step: 2, response: { status: 429, headers: [], body: '' } });
  const during = (name: StepName): Entry[] => [
    { kind: 'step', seq: 2, at: 6, scenario: 'one', label: 'a step', user: 'Ann', step: name },
    limited,
    { ...outcomeOf({ kind: 'refused', status: 429 }), seq: 4 } as Entry,
  ];
  for (const finding of [failure(false, [3]), inconclusive('it was refused with HTTP 429')]) {
    const verdict = verdictOn(finding, ...during('exchangeToken'));
    expect(verdict.outcome).toBe('inconclusive');
    expect(verdict.finding).toMatchObject({
      blame: 'environment',
      because: expect.stringContaining('server.requestsPerSecond'),
    });
  }
  expect(verdictOn(failure(false, [8]), ...during('exchangeToken')).outcome).toBe('fail');
  expect(verdictOn(failure(false, [3]), ...during('confirmOtp')).outcome).toBe('fail');
});
