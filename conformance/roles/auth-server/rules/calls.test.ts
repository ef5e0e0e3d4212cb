import { expect, test } from 'vitest';
import { judging } from '../../../engine/check/judge.ts';
import type { Verdict } from '../../../engine/check/verdict.ts';
import type { Entry, ExchangeEntry, StepEntry } from '../../../engine/journal/entry.ts';
import type { RunMeta } from '../../../engine/journal/run-file.ts';
import { exchange, playedStep, response } from '../../../engine/journal/testing/exchanges.ts';
import { JournalView } from '../../../engine/journal/view.ts';
import { returningUser } from '../flows/links/returning-user.ts';
import { part } from '../flows/step-values.ts';
import { SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN } from '../internal-calls.ts';
import { callRules } from './calls.ts';
import { exchangeTokenRules } from './exchange-tokens.ts';
import { serverSurvives } from './server-survives.ts';

/** The verdict of the rule that calls ought to be accepted, in a watched session. */
function verdictOn(...entries: Entry[]): Verdict | undefined {
  const checks = callRules.filter(({ id }) => id === 'calls-accepted');
  const meta = { mode: 'watch', finished: true } as RunMeta;
  return [...judging({ meta, entries }, { checks, party: 'auth server' })][0];
}
const outcome = (...entries: Entry[]) => verdictOn(...entries)?.outcome;

type Facts = ExchangeEntry['facts'];
const saved = { call: { method: SAVE_AUTH_INFO, params: {} } } as Facts;
const call = (seq: number, more: Partial<ExchangeEntry>) =>
  exchange(seq, { link: 'auth->ehr', at: 10, endedAt: 40, facts: saved, ...more });
const accepted = call(4, { facts: { ...saved, reply: { result: true } } });

test('a call that a dying server left is not expected to be accepted', () => {
  const left = (at: number) => call(3, { broke: 'closed-early', at, endedAt: at + 20 });
  const died: Entry = { kind: 'server', seq: 5, at: 3_194, event: 'died', ended: 'ended with code 1' };
  const started: Entry = { kind: 'server', event: 'started', seq: 6, at: 3_347 };
  for (const at of [3_170, 3_201]) expect(outcome(left(at), accepted, died, started)).toBe('pass');
  for (const at of [1_000, 3_400]) expect(outcome(left(at), accepted, died, started)).toBe('fail');
  // It only says that the call was refused: a check that says why leads the report.
  expect(verdictOn(left(3_201), accepted)).toMatchObject({ outcome: 'fail', finding: { saysWhy: false } });
});

test('a call of no step for a gone link does not count among them', () => {
  const reply = { result: false, code: -34007, reason: 'user_unknown' };
  const refused = call(3, { facts: { ...saved, reply } as Facts });
  const begun: Entry = { kind: 'scenario', seq: 0, at: 0, scenario: 'played', phase: 'begin' };
  expect(outcome(begun, refused, accepted)).toBe('pass');
});

test('a save that repeats one without an answer does not count among them', () => {
  const own = { method: SAVE_AUTH_INFO, params: {}, user: 'ann', token: 't-1' };
  const digest = { over: { kind: 'user-sign', owner: 'ann', sign: 's-1' } };
  const facts = { call: own, digest, fresh: { 't-1': {} } } as unknown as Facts;
  // In a watched session a refusal counts only where the link was shown that it is about.
  const linked = exchange(1, { link: 'client->ehr', facts: { link: { user: 'ann', sign: 's-1' } } });
  const reply = { result: false, code: -34003, reason: 'token_already_stored' };
  const again = call(5, { facts: { ...facts, reply }, response: response('') });
  const later = { call: { ...own, token: 't-9' }, reply: { result: true } } as Facts;
  const unanswered = call(4, { broke: 'closed-early', endedAt: 2_000, facts });
  const ofAnother = { ...unanswered, facts: { call: { ...own, token: 't-2' } } as Facts };
  const last = call(9, { facts: later });
  expect(outcome(linked, unanswered, again, last)).toBe('pass');
  expect(outcome(linked, ofAnother, again, last)).toBe('fail');
  // The EHR server answered, and the answer was lost on its way.
  const lost = { ...unanswered, response: response(''), fault: 'reply-lost' } as ExchangeEntry;
  const begun: Entry = { kind: 'scenario', seq: 0, at: 0, scenario: 'played', phase: 'begin' };
  expect(outcome(begun, lost, again, last)).toBe('pass');
  expect(outcome(begun, ofAnother, again, last)).toBe('fail');
  expect(outcome(ofAnother, again, last)).toBe('pass');
});

test('a call that the kit was late to answer does not count among them', () => {
  const late = call(3, { broke: 'closed-early', endedAt: 2_000 });
  expect(outcome(late, accepted)).toBe('pass');
  expect(outcome(late)).toBe('inconclusive');
  expect(outcome({ ...late, endedAt: 100 }, accepted)).toBe('fail');
});

const SCENARIO = 'wrong-codes';

/** A step that began at `seq`, with its request and its end. */
function sent(
  seq: number,
  label: string,
  broke?: 'reset',
  link: ExchangeEntry['link'] = 'client->auth',
): Entry[] {
  const [begun, ended] = playedStep(seq, { scenario: SCENARIO, label }, { kind: 'refused', status: 400 });
  const call = exchange(seq + 1, { scenario: SCENARIO, step: seq, link, ...(broke && { broke }) });
  return [begun, call, { ...ended, seq: seq + 2 }];
}

function survived(entries: Entry[]) {
  const journal = new JournalView([
    { kind: 'scenario', seq: 1, at: 1, scenario: SCENARIO, phase: 'begin', alone: true },
    ...entries,
    { kind: 'scenario', seq: 90, at: 90, scenario: SCENARIO, phase: 'end' },
  ]);
  return serverSurvives.judge(journal);
}

const died: Entry = { kind: 'server', seq: 50, at: 50, event: 'died', ended: 'ended with code 1' };

test('the death of a server names the steps that it broke', () => {
  expect(
    survived([
      ...sent(10, 'answered'),
      ...sent(20, 'broken', 'reset'),
      ...sent(30, 'broken on the other side', 'reset', 'auth->ehr'),
      died,
      ...sent(60, 'later', 'reset'),
    ]),
  ).toMatchObject({
    outcome: 'fail',
    actual: expect.stringContaining(`it dies in the scenario ${SCENARIO} played alone, at "broken"`),
    advice: expect.stringContaining(`--only ${SCENARIO}`),
  });
});

test('of a server that died the steps are not told when no connection broke', () => {
  const finding = survived([...sent(10, 'answered'), died]);
  expect(finding).toMatchObject({ outcome: 'fail', actual: expect.not.stringContaining(', at "') });
});

test('a server that was restarted from outside is not blamed', () => {
  const outside: Entry = { ...died, ended: 'was restarted from outside', outside: true } as Entry;
  expect(survived([...sent(10, 'broken', 'reset'), outside])).toMatchObject({
    outcome: 'inconclusive',
    blame: 'environment',
    evidence: [50],
    because: expect.stringContaining('it was restarted from outside, as by a watcher of its folder'),
  });
  expect(survived([outside, { ...died, seq: 60 } as Entry])).toMatchObject({ outcome: 'fail' });
});

/** The outcome where a page is read before the step, as `before` in a file says, and the token is saved then. */
function ehrFirst(savedAt: number): string | undefined {
  const token = '‹exchange-token 1›';
  const about = { scenario: 'first-link', label: 'link: exchange token', step: 'exchangeToken' } as const;
  const [begun, ended] = playedStep(10, about, { kind: 'done', values: { exchangeToken: token } });
  const call = { method: SAVE_EXCHANGE_TOKEN, exchangeToken: token, params: {} };
  const facts = { call, reply: { result: true } } as Facts;
  const entries: Entry[] = [
    { kind: 'scenario', seq: 1, at: 1, scenario: 'first-link', phase: 'begin', alone: true },
    begun,
    exchange(11, { endedAt: 11 }),
    exchange(12, { link: 'auth->ehr', endedAt: savedAt, facts }),
    exchange(13, { at: 12, endedAt: 40, step: 10 }),
    { ...ended, seq: 50, at: 50 },
  ];
  const check = exchangeTokenRules.find(({ id }) => id === 'exchange-token-ehr-first');
  return check?.judge(new JournalView(entries)).outcome;
}

test('a step is answered where its own request is, not one before it', () => {
  expect(ehrFirst(30)).toBe('pass');
  expect(ehrFirst(45)).toBe('fail');
});

const label = { scenario: returningUser.id, label: 'Bea returns with user_sign' };
const [USER, TOKEN] = ['‹user 1›', '‹session-token 1›'];

const step = (seq: number, name: StepEntry['step'], of: typeof label, endSeq: number, values = {}) => {
  const [begun, ended] = playedStep(seq, { user: 'Bea', step: name, ...of }, { kind: 'done', values });
  return [begun, { ...ended, seq: endSeq, at: endSeq } as Entry];
};
const save = (seq: number, token = TOKEN): Entry =>
  exchange(seq, {
    link: 'auth->ehr',
    facts: {
      call: { method: SAVE_AUTH_INFO, idType: 'integer', jsonrpc: '2.0', params: {}, user: USER, token },
      reply: { result: true },
    },
  });

/** Describes a return with this save beside its two steps. */
function said(...saves: Entry[]) {
  const entries = [
    ...step(10, 'requestOtp', part(label, 'request a code'), 20),
    ...step(30, 'confirmOtp', label, 40, { user: USER, token: TOKEN }),
    ...saves,
  ].sort((a, b) => a.seq - b.seq);
  const check = returningUser.checks.find(({ id }) => id === 'returning-user-saved-directly');
  return check?.judge(new JournalView(entries));
}

test('a save in its step passes', () => {
  expect(said(save(35))).toMatchObject({ outcome: 'pass' });
});

test('a save that came too early is told so, not as unsent', () => {
  const early = {
    outcome: 'fail',
    actual: 'it came before the code was confirmed',
    advice: expect.stringContaining('Compare the code first'),
  };
  expect(said(save(15))).toMatchObject(early);
  expect(said(save(15, '‹session-token 2›'))).toMatchObject(early);
  expect(said(save(25))).toMatchObject(early);
});

test('a late save of a linked user passes, and a missing save is told', () => {
  const linked = step(1, 'authenticate', part(label, 'authenticate'), 2);
  expect(said(...linked, save(50))).toMatchObject({ outcome: 'pass' });
  expect(said(...linked, save(50, '‹session-token 2›'))).toMatchObject({ outcome: 'fail' });
  expect(said()).toMatchObject({ outcome: 'fail', actual: 'it was not sent' });
});

test('a late save belongs to its sign-in or report, whatever happens meanwhile', () => {
  const { scenario } = label;
  const linked = step(1, 'authenticate', part(label, 'authenticate'), 2);
  const of = (under: StepEntry['step'], token = TOKEN) => {
    const meanwhile = step(45, under, { scenario, label: 'meanwhile' }, 60);
    const begun: Entry = { kind: 'scenario', seq: 0, at: 0, scenario, phase: 'begin', alone: true };
    const signedIn = step(30, 'confirmOtp', label, 40, { user: USER, token: TOKEN });
    const late = save(50, token);
    const entries = [begun, ...linked, ...signedIn, ...meanwhile, late].sort((a, b) => a.seq - b.seq);
    return new JournalView(entries).stepOf(late as ExchangeEntry)?.step.label;
  };
  for (const under of ['requestOtp', 'exchangeToken', 'logout'] as const) expect(of(under)).toBe(label.label);
  // A report may repeat the save, and another session is none of this sign-in.
  expect(of('reportLink')).toBe('meanwhile');
  expect(of('requestOtp', '‹session-token 2›')).toBe('meanwhile');
});
