import { expect, test } from 'vitest';
import { scenariosByEntry } from '../journal/attribution.ts';
import type { ExchangeEntry } from '../journal/entry.ts';
import { shownEntries } from './entries.ts';
import { byScenario } from './scenarios.ts';
import { type FakeRun, fakeRun } from './testing/fake-run.ts';
import { evidenceOf } from './words.ts';

const fake = fakeRun({ crowd: 20 });

function shownOf({ run, verdicts }: FakeRun, maxChars?: number) {
  const homes = scenariosByEntry(run.entries);
  const places = { groups: byScenario(run.entries, homes), homes };
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
  const home = scenariosByEntry(fake.run.entries);
  for (const { seq, scenario } of messages(shownOf(fake))) expect(scenario).toBe(home.get(seq));
});

test('a long body is cut, and says how much it lacks', () => {
  const entries = fake.run.entries.map((entry) =>
    entry.kind === 'exchange' ? { ...entry, request: { ...entry.request, body: 'x'.repeat(50_000) } } : entry,
  );
  const [first] = messages(shownOf({ ...fake, run: { ...fake.run, entries } }));
  expect(first?.request.body).toHaveLength(8_000);
  expect(first?.request.cut).toBe(42_000);
  expect(first?.response?.cut).toBeUndefined();
});
