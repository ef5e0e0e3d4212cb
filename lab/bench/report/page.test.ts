import { expect, test } from 'vitest';
import { connectionsCase, EHR, EXPRESS, TABLES } from '../names.ts';
import { chart } from './chart.ts';
import { BENCHMARK_FILES, documentsOf } from './documents.ts';
import { benchmarksPage } from './page.ts';
import { results } from './results.ts';
import { goodTables, resultsOf, tableOf } from './testing.ts';

const JUDGED_CASE = connectionsCase(32);

test('the page has every target with its verdict, every table, the machine, the versions and how to measure again', () => {
  const page = benchmarksPage(resultsOf(goodTables()));
  expect(page.match(/\| met \|/g)).toHaveLength(11);
  for (const { title } of goodTables()) expect(page).toContain(`### ${title}\n`);
  for (const part of ['A processor, 2 cores, 8 GiB', 'Node 20.19.0', 'express 5.3.0', '2026-01-15, in 20 minutes'])
    expect(page).toContain(part);
  expect(page).toContain('npm run bench -- --quick');
  expect(page).toContain(`| ${JUDGED_CASE} | ${EHR} | 915 | 900 | 930 | 0.92 |`);
});

test('the page says by whom the server was beaten', () => {
  const tables = [
    tableOf(TABLES.http, [
      [JUDGED_CASE, EHR, 100],
      [JUDGED_CASE, EXPRESS, 125],
    ]),
  ];
  const page = benchmarksPage(resultsOf(tables));
  expect(page).toContain(`- ${EXPRESS} in "${TABLES.http}", ${JUDGED_CASE}: its rate is 1.25 times ours.`);
  expect(page).toContain('**missed**');
  expect(page).toContain('not measured');
});

test('the chart draws each contender, the longest bar for the fastest, and escapes names', () => {
  const tables = [
    tableOf(TABLES.http, [
      [JUDGED_CASE, 'a < b', 50],
      [JUDGED_CASE, EHR, 100],
      ['1 connection', EHR, 7],
    ]),
    tableOf(TABLES.memory, [['1 session', 'memory', 3]]),
  ];
  const svg = chart({ tables });
  const widths = [...svg.matchAll(/<rect x="\d+" y="\d+" width="(\d+)"/g)].map(([, width]) => Number(width));
  expect(widths).toEqual([250, 500]);
  expect(svg).toContain('a &lt; b');
  expect(svg).not.toContain('memory');
  expect(svg).toMatch(/^<svg [^>]*role="img"/);
});

test('results that were written down are read back as they were, and others are refused', () => {
  const written = resultsOf(goodTables());
  expect(results.parse(JSON.parse(JSON.stringify(written)))).toEqual(written);
  expect(results.safeParse({ ...written, host: 'a name' }).success).toBe(false);
});

test('whoever has the figures makes the same page and chart of them', () => {
  const written = resultsOf(goodTables());
  const documents = documentsOf(JSON.stringify(written));
  expect([...documents.keys()]).toEqual([BENCHMARK_FILES.page, BENCHMARK_FILES.chart]);
  expect(documents.get(BENCHMARK_FILES.page)).toBe(benchmarksPage(written));
  expect(documents.get(BENCHMARK_FILES.chart)).toBe(chart(written));
});
