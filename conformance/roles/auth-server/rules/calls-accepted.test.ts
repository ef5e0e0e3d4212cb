import { expect, test } from 'vitest';
import { judging } from '../../../engine/check/judge.ts';
import type { Entry, ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { RunMeta } from '../../../engine/journal/run-file.ts';
import { exchange as exchangeOf, response } from '../../../engine/journal/testing/exchanges.ts';
import { SAVE_AUTH_INFO } from '../internal-calls.ts';
import { callRules } from './calls.ts';

/** The outcome of the rule that calls ought to be accepted, in a watched session. */
function outcome(...entries: Entry[]): string | undefined {
  const checks = callRules.filter(({ id }) => id === 'calls-accepted');
  const meta = { mode: 'watch', finished: true } as RunMeta;
  return [...judging({ meta, entries }, { checks, party: 'auth server' })][0]?.outcome;
}

type Facts = ExchangeEntry['facts'];
const saved = { call: { method: SAVE_AUTH_INFO, params: {} } } as Facts;
const call = (seq: number, more: Partial<ExchangeEntry>) =>
  exchangeOf(seq, { link: 'auth->ehr', at: 10, endedAt: 40, facts: saved, ...more });
const accepted = call(4, { facts: { ...saved, reply: { result: true } } });

test('a call that a dying server left is not expected to be accepted', () => {
  const left = (at: number) => call(3, { broke: 'closed-early', at, endedAt: at + 20 });
  const died: Entry = { kind: 'server', seq: 5, at: 3_194, event: 'died', ended: 'ended with code 1' };
  const started: Entry = { kind: 'server', event: 'started', seq: 6, at: 3_347 };
  for (const at of [3_170, 3_201]) expect(outcome(left(at), accepted, died, started)).toBe('pass');
  for (const at of [1_000, 3_400]) expect(outcome(left(at), accepted, died, started)).toBe('fail');
  expect(outcome(left(3_201), accepted)).toBe('fail');
});

test('a save that repeats one without an answer does not count among them', () => {
  const own = { method: SAVE_AUTH_INFO, params: {}, user: 'ann', token: 't-1' };
  const digest = { over: { kind: 'user-sign', owner: 'ann', sign: 's-1' } };
  const facts = { call: own, digest, fresh: { 't-1': {} } } as unknown as Facts;
  // In a watched session a refusal counts only where the link was shown that it is about.
  const linked = exchangeOf(1, { link: 'client->ehr', facts: { link: { user: 'ann', sign: 's-1' } } });
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
