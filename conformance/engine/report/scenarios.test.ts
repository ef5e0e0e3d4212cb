import { expect, test } from 'vitest';
import { scenariosByEntry } from '../journal/attribution.ts';
import type { Entry, ExchangeEntry } from '../journal/entry.ts';
import { exchange, playedStep, request } from '../journal/testing/exchanges.ts';
import { byScenario, scenariosOf, shownEntries, straySentence, straysOf, tookOf } from './scenarios.ts';
import { type FakeRun, fakeRun, withMessages } from './testing/fake-run.ts';
import { evidenceOf } from './words.ts';

const signedIn = (scenario: string, seq: number) =>
  playedStep(
    seq,
    { scenario, label: 'sign in' },
    { kind: 'done', values: { user: `user ${scenario}`, token: `token ${scenario}` } },
  );

const ENDED = { kind: 'outcome', result: { kind: 'done', values: {} }, took: 0 } as const;

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
  { ...ENDED, seq: 12, at: 5, scenario: 'one', step: 7 },
  { kind: 'scenario', seq: 13, at: 6, scenario: 'one', phase: 'end' },
  { kind: 'server', seq: 14, at: 7, event: 'died', ended: 'ended with exit code 1' },
  { ...ENDED, seq: 15, at: 8, scenario: 'two', step: 8 },
  { kind: 'scenario', seq: 16, at: 9, scenario: 'two', phase: 'end' },
  { kind: 'silence', seq: 17, at: 10, took: 300 },
];

function saved(seq: number, scenario: string): ExchangeEntry {
  const call = { method: 'save', idType: 'string', jsonrpc: '2.0', params: {}, token: `token ${scenario}` };
  return exchange(seq, { at: 3, endedAt: 3, link: 'auth->ehr', facts: { call } });
}

test('each scenario has its own messages and events', () => {
  const scenarioBySeq = scenariosByEntry(entries);
  expect([scenarioBySeq.get(9), scenarioBySeq.get(10)]).toEqual(['two', 'one']);
  const groups = [...byScenario(entries, scenarioBySeq)].map(([name, own]) => [
    name,
    own.map(({ seq }) => seq),
  ]);
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

const fake = fakeRun({ crowd: 20 });

function shownOf({ run, verdicts }: FakeRun, maxChars?: number) {
  const scenarioBySeq = scenariosByEntry(run.entries);
  const places = { groups: byScenario(run.entries, scenarioBySeq), scenarioBySeq };
  return shownEntries(run.entries, verdicts, places, maxChars);
}

const messages = ({ entries }: ReturnType<typeof shownOf>) =>
  entries.filter((entry): entry is ExchangeEntry => entry.kind === 'exchange');

test('what is not green shows all that it names, and how steps ended', () => {
  const shown = new Set(shownOf(fake, 0).entries.map(({ seq }) => seq));
  const red = fake.verdicts.filter(({ outcome }) => outcome !== 'pass');
  const named = red.flatMap(({ finding }) => evidenceOf(finding));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((seq) => !shown.has(seq))).toEqual([]);
  const ends = fake.run.entries.filter((entry) => entry.kind === 'outcome' && shown.has(entry.step));
  expect(ends.filter(({ seq }) => !shown.has(seq))).toEqual([]);
});

test('too large a run has fewer messages of each scenario', () => {
  const length = (shown: ReturnType<typeof shownOf>) => JSON.stringify(shown.entries).length;
  const most = shownOf(fake);
  const less = shownOf(fake, length(most) - 1);
  const least = shownOf(fake, 0);
  expect(shownOf(fake, length(most))).toEqual(most);
  expect(messages(less).length).toBeLessThan(messages(most).length);
  expect(messages(least).length).toBeLessThan(messages(less).length);
  expect([...least.shown.values()]).toEqual([...least.shown.values()].map(() => 0));
});

test('a call of the server under test says to which scenario it belongs', () => {
  const scenarioBySeq = scenariosByEntry(fake.run.entries);
  for (const { seq, scenario } of messages(shownOf(fake))) expect(scenario).toBe(scenarioBySeq.get(seq));
});

test('a long body is cut, and says how much it lacks', () => {
  const body = 'x'.repeat(50_000);
  const long = withMessages(fake, (message) => ({ ...message, request: { ...message.request, body } }));
  const [first] = messages(shownOf(long));
  expect(first?.request.body).toHaveLength(8_000);
  expect(first?.request.cut).toBe(42_000);
  expect(first?.response?.cut).toBeUndefined();
});
