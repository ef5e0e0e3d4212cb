import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { Entry, ExchangeEntry, RawExchange } from './entry.ts';
import { openRecorder, request, response } from './testing/exchanges.ts';

const raw = (body = ''): RawExchange => ({ link: 'auth->ehr', request: request({ body }) });
const recording = () => {
  const clock = manualClock();
  return { clock, recorder: openRecorder(clock) };
};

test('an exchange takes its place when it begins, and the scenario of its step', () => {
  const { clock, recorder } = recording();
  recorder.beginScenario('one');
  const step = recorder.step({ scenario: 'one', user: 'Ann', step: 'logout', label: 'log out' });
  const slow = recorder.exchange(raw(), step.seq);
  clock.advance(5);
  recorder.note('meanwhile');
  recorder.endScenario('one');
  recorder.beginScenario('two');
  clock.advance(7);
  slow.end();
  const entries = recorder.entries();
  expect(entries.map(({ kind }) => kind).join(' ')).toBe('scenario step exchange note scenario scenario');
  expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(entries[2]).toMatchObject({ scenario: 'one', step: 2, at: 0, endedAt: 12 });
});

test('only the first end of an exchange counts', () => {
  const { recorder } = recording();
  const open = recorder.exchange(raw());
  open.end({ broke: 'reset' });
  open.end({ broke: 'closed-early' });
  expect(recorder.entries()).toMatchObject([{ broke: 'reset' }]);
});

test('an exchange under way stands in the journal once, as far as known', () => {
  const { recorder } = recording();
  const token = 'Zm9vYmFyYmF6cXV4-1';
  const call = {
    method: 'embedded_storage.save_exchange_token',
    params: { exchangeToken: token, authInfo: {} },
  };
  const open = recorder.exchange(raw(JSON.stringify(call)));
  const [before] = recorder.entries() as [ExchangeEntry];
  expect(before).toMatchObject({ seq: 1, broke: 'timeout', facts: { call: { method: call.method } } });
  expect(Object.values(before.facts.fresh ?? {})).toHaveLength(1);
  open.end({ response: response('{"result":{}}') });
  const after = recorder.entries() as ExchangeEntry[];
  expect(after).toHaveLength(1);
  expect(after[0]?.broke).toBeUndefined();
  expect(after[0]?.facts).toMatchObject({ fresh: before.facts.fresh, reply: { result: true } });
});

test('a request is told as it leaves, and its facts stay until it ends', () => {
  const { clock, recorder } = recording();
  const told: ExchangeEntry[] = [];
  const under = raw(
    '{"method":"embedded_storage.save_exchange_token","params":{"exchangeToken":"token-1234"}}',
  );
  recorder.exchange(under).leave();
  recorder.onLeave((entry) => told.push(entry));
  const open = recorder.exchange(under);
  open.leave('hang');
  clock.advance(5);
  open.end({ broke: 'closed-early' });
  open.leave();
  expect(told).toMatchObject([{ seq: 2, fault: 'hang', endedAt: 0, response: undefined }]);
  const fresh = { '‹exchange-token 1›': { kind: 'exchange-token' } };
  expect(told[0]?.facts).toMatchObject({ fresh });
  expect(recorder.entries()[1]).toMatchObject({ seq: 2, endedAt: 5, facts: { fresh } });
});

test('the end of the run leaves out what is under way and what follows', () => {
  const { recorder } = recording();
  recorder.note('before');
  const open = recorder.exchange(raw());
  recorder.stop();
  open.end({ broke: 'reset' });
  recorder.exchange(raw()).end();
  recorder.note('after');
  expect(recorder.entries()).toMatchObject([{ kind: 'note', text: 'before' }]);
});

test('each entry is told once, when it is complete', () => {
  const { recorder } = recording();
  const told: Entry[] = [];
  recorder.onEntry((entry) => told.push(entry));
  const open = recorder.exchange(raw());
  recorder.note('first');
  recorder.entries();
  expect(told.map(({ kind }) => kind)).toEqual(['note']);
  open.end();
  expect(told.map(({ kind }) => kind)).toEqual(['note', 'exchange']);
});

test.each([
  ['number', { maxItems: 10, maxChars: 1_000_000 }],
  ['size', { maxItems: 1_000, maxChars: 500 }],
])('a recorder bounded by %s keeps the newest entries and tells its listeners all', (_by, limits) => {
  const isKept = (entry: Entry) => entry.kind !== 'silence';
  const recorder = openRecorder(manualClock(), { keeping: { limits, isKept } });
  const told: number[] = [];
  recorder.onEntry(({ seq }) => told.push(seq));
  for (let count = 0; count < 150; count++) recorder.note(String(count));
  recorder.silence(5);
  expect(told).toHaveLength(151);
  const kept = recorder.entries().map(({ seq }) => seq);
  expect(kept.length).toBeLessThanOrEqual(12);
  expect(kept.at(-1)).toBe(150);
  expect(kept).toEqual(kept.map((_, index) => 150 - kept.length + 1 + index));
  recorder.clear();
  recorder.note('after');
  expect(recorder.entries()).toMatchObject([{ text: 'after', seq: 152 }]);
});

test('later tokens show the alphabet of a token that looks like base32', () => {
  const { recorder } = recording();
  const tokens = ['QWERTYUIOP234', 'zR8kf0Lm1xTq9', 'H3vb7PdNs5YwC', 'e6JgUaXc2Zt4K', '0oGrVh1yMnB8i'];
  const save = (token: string) =>
    JSON.stringify({ method: 'embedded_storage.save_auth_info', params: { authInfo: { token } } });
  recorder.exchange(raw(save(tokens[0] ?? ''))).end();
  const bitsOfFirst = () =>
    recorder.entries().flatMap((entry) => Object.values((entry as ExchangeEntry).facts.fresh ?? {}))[0]?.bits;
  expect(bitsOfFirst()).toBeGreaterThanOrEqual(72);
  for (const token of tokens.slice(1)) recorder.exchange(raw(save(token))).end();
  expect(bitsOfFirst()).toBeGreaterThanOrEqual(72);
  expect(JSON.stringify(recorder.entries())).not.toContain('QWERTY');
});
