import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  BARE,
  BARE_PER_CALL,
  BUNDLED,
  connectionsCase,
  EHR,
  EXPRESS,
  IN_PROCESS,
  OAUTH,
  TABLES,
} from '../names.ts';
import { chart } from './chart.ts';
import { BENCHMARK_FILES, documentsOf } from './page.ts';
import { type ResultRow, type ResultTable, results } from './results.ts';
import { rounded, tableText, verdictsText } from './tables.ts';
import { judge, lostTo } from './targets.ts';

const JUDGED_CASE = connectionsCase(32);
const committed = readFileSync(BENCHMARK_FILES.results, 'utf8');
const { tables } = results.parse(JSON.parse(committed));

/** Creates a table from its rows: `[case, of, ...values]`. */
function tableOf(
  id: string,
  rows: readonly (readonly [string, string, ...number[]])[],
  more: Partial<ResultTable> = {},
): ResultTable {
  const made = rows.map(([at, of, ...values]): ResultRow => ({ case: at, of, values }));
  return { id, title: id, about: 'About it.', unit: 'calls/s', better: 'higher', rows: made, ...more };
}

/** Returns the kept tables with the figures of one contender multiplied. */
function multiplied(id: string, of: string, by: number, at = ''): ResultTable[] {
  return tables.map((table) => ({
    ...table,
    rows: table.rows.map((row) =>
      table.id === id && row.of === of && row.case.includes(at)
        ? { ...row, values: row.values.map((value) => value * by) }
        : row,
    ),
  }));
}

const verdictOf = (sentence: string, of: ResultTable[]) =>
  judge({ tables: of }).find(({ target }) => target.includes(sentence));

const promises: readonly (readonly [
  sentence: string,
  table: string,
  of: string,
  better: number,
  at?: string,
])[] = [
  ['get_patient ≥ 0.85 of bare', TABLES.getPatient, EHR, 2],
  ['get_patient ≥ 3 × stock express 5', TABLES.getPatient, EXPRESS, 0.5],
  ['save_auth_info, durable ≥ 0.85', TABLES.saveAuthInfo, EHR, 2],
  ['save_auth_info, durable ≥ 4 ×', TABLES.saveAuthInfo, BARE_PER_CALL, 0.5],
  ['save_exchange_token, durable ≥ 0.85', TABLES.saveExchangeToken, EHR, 2],
  ['save_exchange_token, durable ≥ 4 ×', TABLES.saveExchangeToken, BARE_PER_CALL, 0.5],
  ['match at 5 000 000 patients', TABLES.match, IN_PROCESS, 2, '5 000 000'],
  ['get_patient at 10 000 000 sessions', TABLES.sizes, EHR, 2, '10 000 000'],
  ['a million fixtures', TABLES.fixtures, 'npm run fixtures', 0.5],
  ['a bundled server listens', TABLES.start, BUNDLED, 0.5],
  ['every peer is beaten', TABLES.http, OAUTH, 0.5],
];

test('each promise is met by better figures and missed by worse ones', () => {
  expect(judge({ tables })).toHaveLength(promises.length);
  for (const [sentence, id, of, better, at] of promises) {
    expect([sentence, verdictOf(sentence, multiplied(id, of, better, at))?.met]).toEqual([sentence, true]);
    const worse = sentence.startsWith('every peer') ? 100 : 1 / better;
    expect([sentence, verdictOf(sentence, multiplied(id, of, worse, at))?.met]).toEqual([sentence, false]);
  }
});

test('the figure of bare node:http stands beside that of a promise', () => {
  const [, , , perCall] = judge({ tables });
  expect(perCall?.measured).toMatch(/^\d\.\d\d \(bare node:http: \d\.\d\d\)$/);
});

test('what a run did not measure is neither met nor missed', () => {
  const verdicts = judge({ tables: [] });
  expect(new Set(verdicts.map(({ met }) => met))).toEqual(new Set([undefined]));
  expect(verdicts[0]?.measured).toBe('not measured in this run');
});

test('a peer that was faster is named, and bare node:http is no peer', () => {
  const faster = [
    tableOf(TABLES.http, [
      [JUDGED_CASE, EHR, 100],
      [JUDGED_CASE, BARE, 200],
      [JUDGED_CASE, EXPRESS, 125],
    ]),
  ];
  expect(lostTo(faster)).toMatchObject([{ row: { of: EXPRESS }, ratio: 0.8 }]);
  expect(judge({ tables: faster }).at(-1)).toEqual({
    target: 'every peer is beaten',
    measured: `faster than us: ${EXPRESS} in "${TABLES.http}", ${JUDGED_CASE} (0.80)`,
    met: false,
  });
  const page = documentsOf(JSON.stringify({ ...JSON.parse(committed), tables: faster })).get(
    BENCHMARK_FILES.page,
  );
  expect(page).toContain(`- ${EXPRESS} in "${TABLES.http}", ${JUDGED_CASE}: its rate is 1.25 times ours.`);
  expect(page).toContain('**missed**');
});

test('the page is made of the figures, with every table, and others are refused', () => {
  const documents = documentsOf(committed);
  expect(documents.get(BENCHMARK_FILES.page)).toBe(readFileSync(BENCHMARK_FILES.page, 'utf8'));
  expect(documents.get(BENCHMARK_FILES.chart)).toBe(readFileSync(BENCHMARK_FILES.chart, 'utf8'));
  for (const { title } of tables) expect(documents.get(BENCHMARK_FILES.page)).toContain(`### ${title}\n`);
  expect(results.safeParse({ ...JSON.parse(committed), host: 'a name' }).success).toBe(false);
});

test('the chart has the longest bar for the fastest, and escapes names', () => {
  const http = tableOf(TABLES.http, [
    [JUDGED_CASE, 'a < b', 50],
    [JUDGED_CASE, EHR, 100],
    ['1 connection', EHR, 7],
  ]);
  const svg = chart({ tables: [http, tableOf(TABLES.fixtures, [['1 patient', 'fixtures', 3]])] });
  const widths = [...svg.matchAll(/<rect x="\d+" y="\d+" width="(\d+)"/g)].map(([, width]) => Number(width));
  expect(widths).toEqual([250, 500]);
  expect(svg).toContain('a &lt; b');
  expect(svg).not.toContain('fixtures');
});

test('a table shows median, extremes, and ratios made inside the rounds', () => {
  const table = tableOf(
    'get-patient',
    [
      ['32 connections', EHR, 9_000, 11_000, 4_000],
      ['32 connections', BARE, 10_000, 10_000, 5_000],
    ],
    { base: BARE },
  );
  Object.assign(table.rows[0] as object, { cpu: [80, 90, 100], p99: [3, 4, 5] });
  Object.assign(table.rows[1] as object, { cpu: [40, 45, 50], p99: [2, 2.5, 3] });
  expect(tableText(table)).toBe(`
get-patient (calls/s, higher is better; ratio to bare node:http)
                                  median    min     max  ratio  CPU µs  ratio  p99 ms
  32 connections  EHR server       9 000  4 000  11 000   0.90      90   2.00       4
  32 connections  bare node:http  10 000  5 000  10 000             45            2.5
`);
});

test('figures have three digits, or are whole numbers in groups', () => {
  const shown = [0, 0.1234, 9.996, 45.67, 123.4, 33_333.3, 1_234_567].map(rounded);
  expect(shown).toEqual(['0', '0.123', '10', '45.7', '123', '33 333', '1 234 567']);
});

test('each verdict is one line that says met or missed', () => {
  const text = verdictsText([
    { target: 'a', measured: '0.90', met: true },
    { target: 'b', measured: '0.10', met: false },
    { target: 'c', measured: 'not measured in this run', met: undefined },
  ]);
  expect(text).toBe('✓ met    a: 0.90\n✗ missed b: 0.10\n· c: not measured in this run\n');
});
