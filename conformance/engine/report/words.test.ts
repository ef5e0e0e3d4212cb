import { expect, test } from 'vitest';
import type { ExchangeEntry, Facts } from '../journal/entry.ts';
import { exchange, request, response } from '../journal/testing/exchanges.ts';
import { answerOf, callOf, duration, exchangeLine, resultOf, stepLine } from './words.ts';

const asked = exchange(7, { link: 'auth->ehr', request: request({ path: '/1.0-alpha/' }) });
const answered = (status: number, facts: Facts = {}, broke?: ExchangeEntry['broke']) =>
  answerOf({ ...asked, response: response('', { status }), facts, broke });
const call = { method: 'embedded_storage.save_auth_info', idType: 'integer', jsonrpc: '2.0', params: {} };
const rpcError = { call, reply: { result: false, code: -34003, reason: 'token_already_stored' } };

const done = { call, reply: { result: true } };

test.each<[Parameters<typeof answered>, string, string]>([
  [[200, done], 'result', 'good'],
  [[200, rpcError], 'error −34003 token_already_stored', 'refused'],
  [[401, rpcError], 'HTTP 401 error −34003 token_already_stored', 'refused'],
  [[204], 'HTTP 204', 'good'],
  [[422], 'HTTP 422', 'refused'],
  [[500], 'HTTP 500', 'broken'],
  [[500, { call, reply: { result: false } }], 'HTTP 500 error', 'broken'],
  // A reply of JSON to a call that is no JSON-RPC.
  [[201, { reply: { result: false } }], 'HTTP 201', 'good'],
  // An answer that never reached the caller.
  [[200, done, 'closed-early'], 'result, connection closed early', 'broken'],
  [[200, rpcError, 'closed-early'], 'error −34003 token_already_stored, connection closed early', 'broken'],
])('the answer %j is "%s", which is %s', (given, text, tone) => {
  expect(answered(...given)).toEqual({ text, tone });
});

test('a call without an answer is told by how the connection ended', () => {
  expect(answerOf({ ...asked, broke: 'reset' })).toEqual({ text: 'connection reset', tone: 'broken' });
  expect(answerOf(asked)).toEqual({ text: 'no answer', tone: 'broken' });
});

test('a line on an exchange names its method and its fault', () => {
  expect(callOf(asked)).toBe('POST /1.0-alpha/');
  expect(exchangeLine({ ...asked, facts: { call }, fault: 'reset', broke: 'reset' })).toBe(
    '#7 auth server → EHR server: embedded_storage.save_auth_info → connection reset [fault on purpose: reset]',
  );
});

test('a line on a step tells its deliberate mistake and its end', () => {
  const named = { user: 'Eve', step: 'confirmOtp', label: 'a wrong code', defect: 'not the code' } as const;
  const step = { kind: 'step', seq: 3, at: 0, scenario: 's', ...named } as const;
  const refused = { kind: 'refused', status: 422, code: '-36001' } as const;
  expect(stepLine(step, undefined)).toBe(
    '#3 Eve: a wrong code [confirmOtp] (wrong on purpose: not the code)',
  );
  expect(
    stepLine(step, { kind: 'outcome', seq: 5, at: 1, scenario: 's', step: 3, took: 1, result: refused }),
  ).toMatch(/ → refused: HTTP 422 −36001$/);
});

test.each<[Parameters<typeof resultOf>[0], string, string]>([
  [{ kind: 'done', values: {} }, 'done', 'good'],
  [{ kind: 'refused', status: 200, code: '-33000', reason: 'gone' }, 'refused: −33000 gone', 'refused'],
  [{ kind: 'failed', what: 'timeout', detail: '' }, 'failed: no answer in time', 'broken'],
  [{ kind: 'absent' }, 'the server has no such step', 'plain'],
])('the result %j is "%s", which is %s', (result, text, tone) => {
  expect(resultOf(result)).toEqual({ text, tone });
});

test('durations are told in the unit that fits', () => {
  expect([0, 999.4, 1_000, 59_940, 125_000].map(duration)).toEqual([
    '0 ms',
    '999 ms',
    '1.0 s',
    '59.9 s',
    '2 min 5 s',
  ]);
});
