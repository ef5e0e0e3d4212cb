import { expect, test } from 'vitest';
import { scenariosByEntry } from '../journal/attribution.ts';
import type { Entry, ExchangeEntry } from '../journal/entry.ts';
import { exchange, request } from '../journal/testing/exchanges.ts';
import { byScenario, scenariosOf, straySentence, straysOf, tookOf } from './scenarios.ts';

/** Two scenarios side by side, in which the server calls the EHR server for each of two people. */
const entries: Entry[] = [
  { kind: 'scenario', seq: 1, at: 0, scenario: 'one', phase: 'begin' },
  { kind: 'scenario', seq: 2, at: 0, scenario: 'two', phase: 'begin' },
  ...signedIn('one', 3),
  ...signedIn('two', 5),
  { kind: 'step', seq: 7, at: 2, scenario: 'one', user: 'Ann', step: 'exchangeToken', label: 'token' },
  { kind: 'step', seq: 8, at: 2, scenario: 'two', user: 'Ann', step: 'exchangeToken', label: 'token' },
  saved(9, 'two'),
  saved(10, 'one'),
  { kind: 'silence', seq: 11, at: 4, took: 300 },
  ended(12, 5, 'one', 7),
  { kind: 'scenario', seq: 13, at: 6, scenario: 'one', phase: 'end' },
  { kind: 'server', seq: 14, at: 7, event: 'died', ended: 'ended with exit code 1' },
  ended(15, 8, 'two', 8),
  { kind: 'scenario', seq: 16, at: 9, scenario: 'two', phase: 'end' },
  { kind: 'silence', seq: 17, at: 10, took: 300 },
];

function ended(seq: number, at: number, scenario: string, step: number, values = {}): Entry {
  return { kind: 'outcome', seq, at, scenario, step, result: { kind: 'done', values }, took: 0 };
}

function signedIn(scenario: string, seq: number): Entry[] {
  const values = { user: `user ${scenario}`, token: `token ${scenario}` };
  return [
    { kind: 'step', seq, at: 1, scenario, user: 'Ann', step: 'confirmOtp', label: 'sign in' },
    ended(seq + 1, 1, scenario, seq, values),
  ];
}

function saved(seq: number, scenario: string): ExchangeEntry {
  const call = { method: 'save', idType: 'string', jsonrpc: '2.0', params: {}, token: `token ${scenario}` };
  return exchange(seq, { at: 3, endedAt: 3, link: 'auth->ehr', facts: { call } });
}

test('each scenario has its own messages and events', () => {
  const homes = scenariosByEntry(entries);
  expect([homes.get(9), homes.get(10)]).toEqual(['two', 'one']);
  const groups = [...byScenario(entries, homes)].map(([name, own]) => [name, own.map(({ seq }) => seq)]);
  expect(Object.fromEntries(groups)).toEqual({
    one: [1, 3, 4, 7, 10, 11, 12, 13],
    two: [2, 5, 6, 8, 9, 11, 14, 15, 16],
    '': [17],
  });
});

const sent = (seq: number, path: string, stray?: string) =>
  exchange(seq, { request: request({ path }), facts: { stray } });

test('strays are listed once for each kind, without their query', () => {
  const entries = [
    sent(1, '/login'),
    sent(2, '/login?token=1', 'its Origin is foreign'),
    sent(3, '/login?token=2', 'its Origin is foreign'),
    sent(4, '/', 'its Host is not this machine'),
  ];
  const strays = straysOf(entries);
  expect(strays).toEqual([
    { link: 'client->auth', call: 'POST /login', because: 'its Origin is foreign', times: 2 },
    { link: 'client->auth', call: 'POST /', because: 'its Host is not this machine', times: 1 },
  ]);
  expect(straySentence({ strays })).toBe(
    'Requests that nobody of this run sent, listed and not judged: POST /login on client->auth (its Origin is foreign, 2 times); POST / on client->auth (its Host is not this machine).',
  );
});

test('where there are none, nothing is said', () => {
  expect(straysOf([sent(1, '/login')])).toEqual([]);
  expect(straySentence({})).toBeUndefined();
});

test('the time of a run is no sum of its scenarios', () => {
  const groups = byScenario(entries, scenariosByEntry(entries));
  const took = scenariosOf(groups, []).map((each) => each.took);
  expect(took.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(tookOf(entries));
  expect(tookOf(entries)).toBe(10);
  expect(tookOf([])).toBe(0);
});
