/** The tables of a run in words: for a terminal, and as cells for the page. Both round and compare alike. */
import { medianRatio, summarise } from '../statistics.ts';
import { findRow, type ResultRow, type ResultTable } from './results.ts';
import type { Verdict } from './targets.ts';

/**
 * A column has a title for the terminal and one for the page. It is left out when all of its cells are empty.
 */
type Column = {
  title: string;
  pageTitle: string;
  cell: (row: ResultRow, base: ResultRow | undefined) => string;
};

const COLUMNS: readonly Column[] = [
  { title: '', pageTitle: '', cell: (row) => row.case },
  { title: '', pageTitle: '', cell: (row) => row.of },
  { title: 'median', pageTitle: 'Median', cell: ({ values }) => rounded(summarise(values).median) },
  { title: 'min', pageTitle: 'Min', cell: ({ values }) => rounded(summarise(values).min) },
  { title: 'max', pageTitle: 'Max', cell: ({ values }) => rounded(summarise(values).max) },
  { title: 'ratio', pageTitle: 'Ratio', cell: ({ values }, base) => ratioText(values, base?.values) },
  { title: 'CPU µs', pageTitle: 'CPU µs/call', cell: ({ cpu }) => medianText(cpu) },
  { title: 'ratio', pageTitle: 'CPU ratio', cell: ({ cpu }, base) => ratioText(cpu, base?.cpu) },
  { title: 'p99 ms', pageTitle: 'p99 ms', cell: ({ p99 }) => medianText(p99) },
];

export type Cells = { titles: string[]; pageTitles: string[]; rows: string[][] };

/** Returns the cells of a table. The ratio is to the base of the same case, made round by round. */
export function cellsOf(table: ResultTable): Cells {
  const lines = table.rows.map((row) => {
    const hasBase = table.base !== undefined && row.of !== table.base;
    const base = hasBase ? findRow([table], table.id, row.case, table.base as string) : undefined;
    return COLUMNS.map(({ cell }) => cell(row, base));
  });
  const isShown = (_: unknown, at: number) => lines.some((line) => line[at] !== '');
  const columns = COLUMNS.filter(isShown);
  return {
    titles: columns.map(({ title }) => title),
    pageTitles: columns.map(({ pageTitle }) => pageTitle),
    rows: lines.map((line) => line.filter(isShown)),
  };
}

/** Formats a table for a terminal. */
export function tableText(table: ResultTable): string {
  const { titles, rows } = cellsOf(table);
  const all = [titles, ...rows];
  const widths = titles.map((_, at) => Math.max(...all.map((line) => (line[at] as string).length)));
  const lines = all.map((line) =>
    line
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  );
  const base = table.base === undefined ? '' : `; ratio to ${table.base}`;
  const head = `\n${table.title} (${table.unit}, ${table.better} is better${base})\n`;
  return head + lines.map((line) => `  ${line.trimEnd()}\n`).join('');
}

/** Formats one line for each target: met, missed, or not measured in this run. */
export function verdictsText(verdicts: readonly Verdict[]): string {
  const markOf = (met: boolean | undefined) => (met === undefined ? '·' : met ? '✓ met   ' : '✗ missed');
  return verdicts.map(({ target, measured, met }) => `${markOf(met)} ${target}: ${measured}\n`).join('');
}

/** Rounds to three digits, or to a whole number where that is longer. */
export function rounded(value: number): string {
  if (value !== 0 && Math.abs(value) < 100) return String(Number(value.toPrecision(3)));
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ');
}

function medianText(values: readonly number[] | undefined): string {
  return values ? rounded(summarise(values).median) : '';
}

function ratioText(values: readonly number[] | undefined, base: readonly number[] | undefined): string {
  return values && base ? medianRatio(values, base).toFixed(2) : '';
}
