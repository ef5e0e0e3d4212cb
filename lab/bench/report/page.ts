/** What is said of the figures: on the page of a whole run, and in the terminal while they are taken. */

import { medianRatio, summarise } from '../../statistics.ts';
import { BARE } from '../contenders.ts';
import { type ResultRow, type Results, type ResultTable, results as resultsSchema } from './results.ts';
import { judge } from './targets.ts';

/** The files of a whole run, relative to the root of the project. */
export const BENCHMARK_FILES = { results: 'docs/benchmarks.json', page: 'docs/benchmarks.md' } as const;

/**
 * Creates the page. The same figures always give the same page.
 * @param json the text of the results
 * @throws ZodError when the text contains no results
 */
export function benchmarksPage(json: string): string {
  const results = resultsSchema.parse(JSON.parse(json));
  return `${[
    '# Benchmarks',
    'This page shows how fast the EHR server is, beside bare node:http and express. `npm run bench` writes it from [benchmarks.json](benchmarks.json), which has every figure.',
    '## Targets',
    targetsText(results.tables),
    ...howMeasured(results),
    '## Figures',
    'In calls a second; higher is better. Ratios are to bare node:http. 8 and 128 connections stand in the file.',
    ...results.tables.flatMap((table) => [`### ${table.title}`, table.about, tableText(shownOf(table))]),
    ...OTHER_RUNS,
  ].join('\n\n')}\n`;
}

/** Returns a table without the cases of 8 and 128 connections, which say little beside 1 and 32. */
function shownOf(table: ResultTable): ResultTable {
  return { ...table, rows: table.rows.filter((row) => /^(?:1|32) connections?$/.test(row.case)) };
}

/** Says of each target whether it was met, as a table. */
export function targetsText(tables: readonly ResultTable[]): string {
  const rows = judge(tables).map(({ target, ratio, met }) => {
    const verdict = met === undefined ? 'not measured' : met ? 'met' : '**missed**';
    return [target, ratio?.toFixed(2) ?? '', verdict];
  });
  return aligned([['Promise', 'Measured', ''], ['---', '---', '---'], ...rows]);
}

function howMeasured({ machine, versions, day, loadBusy }: Results): string[] {
  const seats = machine.pinned
    ? 'the server pinned to one core and the load to another'
    : 'nothing pinned to a core';
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    '## How it was measured',
    `On ${day}: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGib} GiB of memory, ${machine.system}, Node ${machine.node}, SQLite ${machine.sqlite}; ${seats}. Versions: ${packages.join(', ')}.`,
    'Every round measures every contender for a short slice, in alternating order. A ratio is made inside a round, and the table shows the median of the rounds.',
    `The load comes from a process of its own: one call under way on each connection, no two alike, every reply read and checked. No slice took more than ${Math.round(100 * loadBusy)} % of its core.`,
    'Bare node:http is the limit, not a peer: the same statements and grouping of commits, and no check, route, error or log. express 5 runs the same statements as most people would write it ([why so](decisions/0047-benchmarks.md)).',
  ];
}

type Column = readonly [title: string, cell: (row: ResultRow, base: ResultRow | undefined) => string];

const COLUMNS: readonly Column[] = [
  ['', (row) => row.case],
  ['', (row) => row.of],
  ['Median', ({ values }) => rounded(summarise(values).median)],
  ['Min', ({ values }) => rounded(summarise(values).min)],
  ['Max', ({ values }) => rounded(summarise(values).max)],
  ['Ratio', ({ values }, base) => ratioText(values, base?.values)],
  ['CPU µs/call', ({ cpu }) => rounded(summarise(cpu).median)],
  ['CPU ratio', ({ cpu }, base) => ratioText(cpu, base?.cpu)],
  ['p99 ms', ({ p99 }) => rounded(summarise(p99).median)],
];

/** Formats the figures of one call. Ratios are to the bare server in the same case, made round by round. */
export function tableText({ rows }: ResultTable): string {
  const lines = rows.map((row) => {
    const base = row.of === BARE ? undefined : rows.find((one) => one.case === row.case && one.of === BARE);
    return COLUMNS.map(([, cell]) => cell(row, base));
  });
  return aligned([
    COLUMNS.map(([title]) => title),
    COLUMNS.map((_, at) => (at < 2 ? '---' : '---:')),
    ...lines,
  ]);
}

/** Formats a Markdown table that is also read well in a terminal. */
function aligned(lines: readonly string[][]): string {
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0))) ?? [];
  return lines
    .map((cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`)
    .join('\n');
}

/** Rounds to three digits, or to a whole number in groups of digits where that is longer. */
export function rounded(value: number): string {
  if (value !== 0 && Math.abs(value) < 100) return String(Number(value.toPrecision(3)));
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ');
}

function ratioText(values: readonly number[], base: readonly number[] | undefined): string {
  return base ? medianRatio(values, base).toFixed(2) : '';
}

const OTHER_RUNS = [
  '## Again',
  [
    '```sh',
    'npm run bench                       # everything; writes this page',
    'npm run bench -- --quick            # a minute, smaller sizes; writes no document',
    'npm run bench -- --only get-patient # one group; --help lists them',
    '```',
  ].join('\n'),
  'The databases are kept in `.data/bench/` (about 1 GB); `npm run bench -- --clean` removes them. Leave the machine alone meanwhile.',
];
