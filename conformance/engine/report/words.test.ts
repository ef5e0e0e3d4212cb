import { expect, test } from 'vitest';
import type { ExchangeEntry } from '../journal/entry.ts';
import { answerOf, callOf, duration, exchangeLine, harmless, resultOf, stepLine } from './words.ts';

const exchange: ExchangeEntry = {
  kind: 'exchange',
  seq: 7,
  at: 0,
  endedAt: 5,
  scenario: 'first-link',
  link: 'auth->ehr',
  request: { httpVersion: '1.1', method: 'POST', path: '/1.0-alpha/', headers: [], body: '' },
  facts: {},
};
const response = { status: 200, headers: [] as [string, string][], body: '' };
const call = { method: 'embedded_storage.save_auth_info', idType: 'integer', jsonrpc: '2.0', params: {} };
const rpcError = { call, reply: { result: false, code: -34003, reason: 'token_already_stored' } };

test('an answer is told by its JSON-RPC outcome, else by its HTTP status, else by how the connection ended', () => {
  expect(answerOf({ ...exchange, response, facts: { call, reply: { result: true } } })).toEqual({
    text: 'result',
    tone: 'good',
  });
  expect(answerOf({ ...exchange, response, facts: rpcError })).toEqual({
    text: 'error −34003 token_already_stored',
    tone: 'refused',
  });
  expect(answerOf({ ...exchange, response: { ...response, status: 401 }, facts: rpcError }).text).toBe(
    'HTTP 401 error −34003 token_already_stored',
  );
  expect(answerOf({ ...exchange, response: { ...response, status: 204 } })).toEqual({ text: 'HTTP 204', tone: 'good' });
  expect(answerOf({ ...exchange, response: { ...response, status: 422 } })).toEqual({
    text: 'HTTP 422',
    tone: 'refused',
  });
  expect(answerOf({ ...exchange, response: { ...response, status: 500 } })).toEqual({
    text: 'HTTP 500',
    tone: 'broken',
  });
  expect(
    answerOf({ ...exchange, response: { ...response, status: 500 }, facts: { call, reply: { result: false } } }),
  ).toEqual({ text: 'HTTP 500 error', tone: 'broken' });
  expect(answerOf({ ...exchange, broke: 'reset' })).toEqual({ text: 'connection reset', tone: 'broken' });
  expect(answerOf(exchange)).toEqual({ text: 'no answer', tone: 'broken' });
});

test('a reply of JSON to a call that is no JSON-RPC is told by its HTTP status', () => {
  const facts = { reply: { result: false } };
  expect(answerOf({ ...exchange, response: { ...response, status: 201 }, facts })).toEqual({
    text: 'HTTP 201',
    tone: 'good',
  });
});

test('an answer that never reached the caller is no good answer', () => {
  expect(answerOf({ ...exchange, response, facts: { call, reply: { result: true } }, broke: 'closed-early' })).toEqual({
    text: 'result, connection closed early',
    tone: 'broken',
  });
  expect(answerOf({ ...exchange, response, facts: rpcError, broke: 'closed-early' }).tone).toBe('broken');
});

test('a line on an exchange names the method where there is one, and the fault that was put in its way', () => {
  expect(callOf(exchange)).toBe('POST /1.0-alpha/');
  expect(exchangeLine({ ...exchange, facts: { call }, fault: 'reset', broke: 'reset' })).toBe(
    '#7 auth server → EHR server: embedded_storage.save_auth_info → connection reset [fault on purpose: reset]',
  );
});

test('a line on a step says what is wrong with it on purpose, and how it ended where that is known', () => {
  const step = {
    kind: 'step',
    seq: 3,
    at: 0,
    scenario: 's',
    user: 'Eve',
    step: 'confirmOtp',
    label: 'a wrong code',
    defect: 'not the code',
  } as const;
  const refused = { kind: 'refused', status: 422, code: '-36001' } as const;
  expect(stepLine(step, undefined)).toBe('#3 Eve: a wrong code [confirmOtp] (wrong on purpose: not the code)');
  expect(stepLine(step, { kind: 'outcome', seq: 5, at: 1, scenario: 's', step: 3, took: 1, result: refused })).toMatch(
    / → refused: HTTP 422 −36001$/,
  );
});

test('each way in which a step can end has its words', () => {
  expect(resultOf({ kind: 'done', values: {} })).toEqual({ text: 'done', tone: 'good' });
  expect(resultOf({ kind: 'refused', status: 200, code: '-33000', reason: 'not_authorized' })).toEqual({
    text: 'refused: −33000 not_authorized',
    tone: 'refused',
  });
  expect(resultOf({ kind: 'failed', what: 'timeout', detail: '' })).toEqual({
    text: 'failed: no answer in time',
    tone: 'broken',
  });
  expect(resultOf({ kind: 'absent' }).tone).toBe('plain');
});

test('durations are told in the unit that fits', () => {
  expect([0, 999.4, 1_000, 59_940, 125_000].map(duration)).toEqual(['0 ms', '999 ms', '1.0 s', '59.9 s', '2 min 5 s']);
});

test('characters that act on a screen are shown instead of sent to it', () => {
  expect(harmless('a\u001b[31mb\rc\u0000')).toBe('a\\u001b[31mb\\u000dc\\u0000');
  expect(harmless('\u202eevil\u2066')).toBe('\\u202eevil\\u2066');
  expect(harmless('\ud800')).toBe('\ufffd');
  expect(harmless('tab\tline\nбуква ‹phone 1› 😀')).toBe('tab\tline\nбуква ‹phone 1› 😀');
});
