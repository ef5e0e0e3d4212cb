/**
 * Describes the figures on the page of a whole run, and in the terminal while they are taken. Judges the
 * promises of speed by the figures of one run.
 */

import { TABLES } from '../groups.ts';
import { BARE, BARE_PER_CALL, EHR, EXPRESS, JUDGED_CONNECTIONS } from '../plan.ts';
import {
  connectionsCase,
  type ResultRow,
  type Results,
  type ResultTable,
  results as resultsSchema,
} from './results.ts';
import { medianRatio, summarise } from './statistics.ts';

/** The files of a whole run, relative to the root of the project. */
export const BENCHMARK_FILES = { results: 'docs/benchmarks.json', page: 'docs/benchmarks.md' } as const;

/** The same figures always give the same page. */
export function benchmarksPage(json: string): string {
  const results = resultsSchema.parse(JSON.parse(json));
  return `${[
    '# Benchmarks',
    'This page shows how fast the EHR server is, beside bare node:http and express. `npm run bench` writes it from [benchmarks.json](benchmarks.json), which has every figure.',
    '## Targets',
    targetsText(results.tables),
    ...howMeasured(results),
    '## Figures',
    'Calls a second with 32 connections, as the median of the rounds. Ratios are to bare node:http.',
    ...results.tables.flatMap((table) => [`### ${table.title}`, tableText(shownOf(table), SHOWN_COLUMNS)]),
    'In get_patient each call takes a random session out of a million. A save is answered after its commit is on the disk. The EHR server and the bare one [commit the calls of a turn together](decisions/0025-grouped-commits.md); express commits each call by itself.',
    ...OTHER_RUNS,
  ].join('\n\n')}\n`;
}

function shownOf(table: ResultTable): ResultTable {
  return { ...table, rows: table.rows.filter((row) => row.case === '32 connections') };
}

export function targetsText(tables: readonly ResultTable[]): string {
  const rows = judge(tables).map(({ target, ratio, met }) => {
    const verdict = met === undefined ? 'not measured' : met ? 'met' : '**missed**';
    return [target, ratio?.toFixed(2) ?? '', verdict];
  });
  return aligned([['Promise', 'Measured', ''], ['---', '---', '---'], ...rows]);
}

function howMeasured({ machine, day, loadBusy }: Results): string[] {
  const seats = machine.pinned
    ? 'the server pinned to one core and the load to another'
    : 'nothing pinned to a core';
  return [
    '## How it was measured',
    `On ${day}: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGib} GiB of memory, ${machine.system}, Node ${machine.node}, SQLite ${machine.sqlite}; ${seats}.`,
    `Every round measures every contender for a short slice, in alternating order. A ratio is made inside a round. The load comes from a process of its own, which took at most ${Math.round(100 * loadBusy)} % of its core.`,
    'Bare node:http is the limit, not a peer: the same statements and commits, and no check, route, error or log. express 5 runs the same statements as most people would write it.',
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

const SHOWN_COLUMNS = COLUMNS.filter(([title], at) => at === 1 || /^(?:Median|Ratio|p99)/.test(title));

/** Formats the figures of one call. Ratios are to the bare server in the same case, made round by round. */
export function tableText({ rows }: ResultTable, columns: readonly Column[] = COLUMNS): string {
  const lines = rows.map((row) => {
    const base = row.of === BARE ? undefined : rows.find((one) => one.case === row.case && one.of === BARE);
    return columns.map(([, cell]) => cell(row, base));
  });
  return aligned([
    columns.map(([title]) => title),
    columns.map(([title]) => (title === '' ? '---' : '---:')),
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
  '`npm run bench` measures everything and writes this page. `npm run bench -- --quick` takes a minute and writes no document. The databases stay in `.data/bench/`. Leave the machine alone meanwhile.',
];

type TargetVerdict = {
  target: string;
  /** The rate of the EHR server by that of the other; undefined when this run did not measure it. */
  ratio: number | undefined;
  met: boolean | undefined;
};

const GROUPED = [BARE, 0.85, 'durable ≥ 0.85 of bare with the same grouping'] as const;
const SINGLE = [BARE_PER_CALL, 4, 'durable ≥ 4 × a commit per call'] as const;

/** The table, the contender that the EHR server is held against, the ratio that it must reach, and words. */
const TARGETS: readonly (readonly [table: string, other: string, atLeast: number, sentence: string])[] = [
  [TABLES.getPatient, BARE, 0.85, 'get_patient ≥ 0.85 of bare node:http'],
  [TABLES.getPatient, EXPRESS, 3, 'get_patient ≥ 3 × stock express 5'],
  ...[TABLES.saveAuthInfo, TABLES.saveExchangeToken].flatMap((table) =>
    [GROUPED, SINGLE].map(
      ([other, atLeast, words]) =>
        [table, other, atLeast, `${table.replaceAll('-', '_')}, ${words}`] as const,
    ),
  ),
];

export function judge(tables: readonly ResultTable[]): TargetVerdict[] {
  return TARGETS.map(([id, other, atLeast, sentence]) => {
    const judged = connectionsCase(JUDGED_CONNECTIONS);
    const rows = tables.find((table) => table.id === id)?.rows.filter((row) => row.case === judged) ?? [];
    const [ours, theirs] = [EHR, other].map((name) => rows.find(({ of }) => of === name)?.values);
    const ratio = ours && theirs && medianRatio(ours, theirs);
    return { target: `${sentence}, ${judged}`, ratio, met: ratio === undefined ? ratio : ratio >= atLeast };
  });
}
