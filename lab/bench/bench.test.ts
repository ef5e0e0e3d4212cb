import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TABLES } from './groups.ts';
import { bodiesOf } from './load/requests.ts';
import { BARE, BARE_PER_CALL, EHR, EXPRESS } from './plan.ts';
import { interleave } from './rates.ts';
import { BENCHMARK_FILES, benchmarksPage, judge, rounded, tableText, targetsText } from './report/page.ts';
import { type ResultRow, type ResultTable, results } from './report/results.ts';
import { median, medianRatio, percentile, summarise } from './report/statistics.ts';

test('get_patient asks for each session once before one repeats', () => {
  const body = bodiesOf({ kind: 'get_patient', sessions: 1_000 });
  const tokens = Array.from({ length: 1_000 }, (_, sequence) => JSON.parse(body(sequence)).cred.token);
  expect(new Set(tokens).size).toBe(1_000);
});

test('every round measures everybody once, forwards and backwards in turn', async () => {
  const seen: string[] = [];
  await interleave(['a', 'b', 'c'], 3, async (item, round) => void seen.push(`${item}${round}`));
  expect(seen).toEqual(['a0', 'b0', 'c0', 'c1', 'b1', 'a1', 'a2', 'b2', 'c2']);
});

test('a percentile lies between its neighbours, the median in the middle', () => {
  expect([percentile([0, 10], 0.25), percentile([1, 2, 3, 4, 5], 0)]).toEqual([2.5, 1]);
  expect(percentile(Float32Array.from([1, 2, 3, 4, 5]), 1)).toBe(5);
  expect([[5, 1, 3], [4, 1, 3, 2], [9, 10, 100], [7]].map(median)).toEqual([3, 2.5, 10, 7]);
  const values = [3, 1, 2];
  expect(summarise(values)).toEqual({ median: 2, min: 1, max: 3 });
  expect(values).toEqual([3, 1, 2]);
});

test('a ratio is made inside each round, so that a slow round changes nothing', () => {
  // Twice, three times and half as fast: the median ratio is 2. The ratio of the medians would be 1.5.
  expect(medianRatio([200, 30, 10], [100, 10, 20])).toBe(2);
  expect(medianRatio([200, 100, 20], [100, 100, 100])).toBe(1);
});

test('nothing is no measurement, and different rounds are no comparison', () => {
  expect(() => median([])).toThrow('there are none');
  expect(() => medianRatio([1, 2], [1])).toThrow('2 rounds against 1');
});

const committed = readFileSync(BENCHMARK_FILES.results, 'utf8');
const { tables } = results.parse(JSON.parse(committed));

/** Returns the kept tables with the figures of one contender multiplied. */
function multiplied(id: string, of: string, by: number): ResultTable[] {
  const times = (row: ResultRow) => ({ ...row, values: row.values.map((value) => value * by) });
  return tables.map((table) => ({
    ...table,
    rows: table.rows.map((row) => (table.id === id && row.of === of ? times(row) : row)),
  }));
}

const promises = [
  ['get_patient ≥ 0.85 of bare', TABLES.getPatient, BARE],
  ['get_patient ≥ 3 × stock express 5', TABLES.getPatient, EXPRESS],
  ['save_auth_info, durable ≥ 0.85', TABLES.saveAuthInfo, BARE],
  ['save_auth_info, durable ≥ 4 ×', TABLES.saveAuthInfo, BARE_PER_CALL],
  ['save_exchange_token, durable ≥ 0.85', TABLES.saveExchangeToken, BARE],
  ['save_exchange_token, durable ≥ 4 ×', TABLES.saveExchangeToken, BARE_PER_CALL],
] as const;

test.each(promises)('%s: met by better figures and missed by worse ones', (sentence, id, other) => {
  const met = (of: ResultTable[]) => judge(of).find(({ target }) => target.startsWith(sentence))?.met;
  expect([0.5, 2].map((by) => met(multiplied(id, other, by)))).toEqual([true, false]);
  expect([2, 0.5].map((by) => met(multiplied(id, EHR, by)))).toEqual([true, false]);
});

test('the targets are those promises, as a table', () => {
  expect(judge(tables)).toHaveLength(promises.length);
  expect(targetsText(multiplied(TABLES.getPatient, EHR, 0.1))).toMatch(/stock express 5,.* 0\.\d\d .*missed/);
});

test('what a run did not measure is neither met nor missed', () => {
  expect(new Set(judge([]).map(({ met }) => met))).toEqual(new Set([undefined]));
  expect(targetsText([])).toContain('not measured');
});

test('the page is made of the figures, with every table, and others are refused', () => {
  const page = benchmarksPage(committed);
  expect(page).toBe(readFileSync(BENCHMARK_FILES.page, 'utf8'));
  for (const { title } of tables) expect(page).toContain(`### ${title}\n`);
  expect(results.safeParse({ ...JSON.parse(committed), host: 'a name' }).success).toBe(false);
});

test('a table shows median, extremes, and ratios made inside the rounds', () => {
  const rows = [
    { case: '32 connections', of: EHR, values: [9_000, 11_000, 4_000], cpu: [80, 90, 100], p99: [3, 4, 5] },
    { case: '32 connections', of: BARE, values: [10_000, 10_000, 5_000], cpu: [40, 45, 50], p99: [2, 3, 3] },
  ];
  expect(tableText({ id: 'a', title: 'a', about: '', rows }).replace(/ +/g, ' ')).toBe(
    `| | | Median | Min | Max | Ratio | CPU µs/call | CPU ratio | p99 ms |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| 32 connections | EHR server | 9 000 | 4 000 | 11 000 | 0.90 | 90 | 2.00 | 4 |
| 32 connections | bare node:http | 10 000 | 5 000 | 10 000 | | 45 | | 3 |`,
  );
});

test('figures have three digits, or are whole numbers in groups', () => {
  const shown = [0, 0.1234, 9.996, 45.67, 123.4, 33_333.3, 1_234_567].map(rounded);
  expect(shown).toEqual(['0', '0.123', '10', '45.7', '123', '33 333', '1 234 567']);
});
