import { expect, test } from 'vitest';
import { scenarioOf } from '../journal/attribution.ts';
import type { Entry, Link } from '../journal/entry.ts';
import { exchange as exchangeOf } from '../journal/testing/exchanges.ts';
import { rowsOf, selectRows } from './diagram.ts';
import { fakeRun } from './testing/fake-run.ts';

const exchange = (seq: number, at: number, endedAt: number, link: Link = 'client->auth') =>
  exchangeOf(seq, { at, endedAt, scenario: 's', link });
const step = (seq: number, at: number): Entry => ({
  ...{ kind: 'step', seq, at, scenario: 's', user: 'Ann', step: 'confirmOtp', label: `step ${seq}` },
});
const outcome = (seq: number, at: number, of: number): Entry => ({
  ...{ kind: 'outcome', seq, at, scenario: 's', step: of, took: 1, result: { kind: 'done', values: {} } },
});

/** Rows in short form: `>3` a call, `<3` its reply, `step 1`. */
const shortRows = (entries: Entry[]) =>
  rowsOf(entries).map((row) => {
    if (row.kind === 'call') return `>${row.exchange.seq}`;
    if (row.kind === 'reply') return `<${row.exchange.seq}`;
    if (row.kind === 'step') return row.step.label;
    return row.kind === 'note' ? row.text : row.kind;
  });

const LAST = exchange(6, 0, 0);

test.each<[string, Entry[], string]>([
  [
    'a call that another call makes stands inside it',
    [step(1, 0), exchange(2, 1, 9), exchange(3, 3, 7, 'auth->ehr'), outcome(4, 9, 1)],
    'step 1, >2, >3, <3, <2',
  ],
  [
    'a call inside another stays inside within one millisecond',
    [step(1, 0), exchange(2, 0, 0), exchange(3, 0, 0, 'auth->ehr'), outcome(4, 0, 1), step(5, 0), LAST],
    'step 1, >2, >3, <3, <2, step 5, >6, <6',
  ],
  [
    'calls one after the other are answered one after the other',
    [exchange(1, 0, 2), exchange(2, 2, 4), exchange(3, 4, 5, 'client->ehr')],
    '>1, <1, >2, <2, >3, <3',
  ],
  [
    'calls at the same time are answered in the order of their ends',
    [exchange(1, 0, 9), exchange(2, 1, 4), exchange(3, 5, 7)],
    '>1, >2, <2, >3, <3, <1',
  ],
])('%s', (_title, entries, rows) => {
  expect(shortRows(entries).join(', ')).toBe(rows);
});

test('a step knows how it ended, and one that was broken off does not', () => {
  const rows = rowsOf([step(1, 0), outcome(2, 1, 1), step(3, 2)]);
  expect(rows.map((row) => row.kind === 'step' && row.outcome?.seq)).toEqual([2, undefined]);
});

test('notes, and why a scenario stopped or was not played, have rows', () => {
  const end = { kind: 'scenario', seq: 2, at: 1, scenario: 's', phase: 'end' } as const;
  expect(
    shortRows([
      { kind: 'note', seq: 1, at: 0, scenario: 's', text: 'Enter the code.' },
      { ...end, stopped: { because: 'no code came', blame: 'environment' } },
    ]),
  ).toEqual(['Enter the code.', 'Stopped: no code came']);
  expect(shortRows([{ ...end, absent: ['logout', 'deleteUser'] }])).toEqual([
    'not played: the server has no logout, no deleteUser',
  ]);
});

test('remarks are told where they are evidence, the end of the server always', () => {
  const facts = { length: 6, digits: true };
  const entries: Entry[] = [
    step(1, 0),
    { kind: 'code', seq: 2, at: 1, scenario: 's', user: 'Ann', code: '‹code 1›', facts },
    { kind: 'observation', seq: 3, at: 1, scenario: 's', label: 'messages', values: { arrived: 4, most: 3 } },
    { kind: 'silence', seq: 4, at: 2, took: 400 },
    { kind: 'server', seq: 5, at: 3, event: 'died' },
    outcome(6, 4, 1),
  ];
  const notes = (rows: ReturnType<typeof rowsOf>) =>
    rows.flatMap((row) => (row.kind === 'note' ? [row.text] : []));
  expect(notes(rowsOf(entries))).toEqual([
    'A code for Ann reached the kit: 6 digits',
    'messages: arrived 4, most 3',
    'The kit itself stood still for 400 ms',
    'The server under test ended without being asked to',
  ]);
  expect(notes(selectRows(entries, new Set([3]), 10).rows)).toEqual([
    'messages: arrived 4, most 3',
    'The server under test ended without being asked to',
  ]);
});

const { run } = fakeRun({ crowd: 20 });
const entriesOf = (scenario: string) => run.entries.filter((entry) => scenarioOf(entry) === scenario);

/** The shown calls by seq, and gaps as `gap of N`. */
const shownRows = (scenario: string, evidence: number[], limit = 99) => {
  const { rows, left } = selectRows(entriesOf(scenario), new Set(evidence), limit);
  return {
    rows: rows.flatMap((row): (string | number)[] => {
      if (row.kind === 'call') return [row.exchange.seq];
      if (row.kind === 'gap') return [`gap of ${row.exchanges}, ${row.steps}`];
      return row.kind === 'step' ? [row.step.label] : [];
    }),
    left,
  };
};
const calls = entriesOf('returning-user').filter((entry) => entry.kind === 'exchange');
const save = calls.filter(({ facts }) => facts.call?.method === 'embedded_storage.save_auth_info').at(-1)
  ?.seq as number;

test('a message is shown within its step, and the rest as gaps', () => {
  expect(shownRows('returning-user', [save])).toEqual({
    rows: ['gap of 10, 6', 'Bea returns with user_sign', save - 1, save, 'gap of 1, 1'],
    left: 0,
  });
});

test('a step that is named brings its messages', () => {
  const label = 'Bea reads the record';
  const step = entriesOf('returning-user').find((entry) => entry.kind === 'step' && entry.label === label);
  const seq = step?.seq as number;
  expect(shownRows('returning-user', [seq]).rows.slice(-2)).toEqual([label, seq + 1]);
});

test('the limit keeps the evidence before its surroundings and counts the rest', () => {
  const result = shownRows('returning-user', [save], 1);
  expect(result.rows.filter((row) => typeof row === 'number')).toEqual([save]);
  expect(result.left).toBe(1);
  const all = entriesOf('crowd').map(({ seq }) => seq);
  const many = shownRows('crowd', all, 8);
  expect(many.rows.filter((row) => typeof row === 'number')).toHaveLength(8);
  expect(many.left).toBe(20 * 8 - 8);
  expect(many.rows.at(-1)).toMatch(/^gap of 152, /);
});
