/** The results for a terminal: one block for each table, then the verdicts. */
import { type Shown, shownRows } from './figures.ts';
import type { Results, Table } from './results.ts';
import type { Verdict } from './targets.ts';

const COLUMNS: readonly (readonly [title: string, member: keyof Shown])[] = [
  ['', 'case'],
  ['', 'of'],
  ['median', 'median'],
  ['min', 'min'],
  ['max', 'max'],
  ['ratio', 'ratio'],
  ['CPU µs', 'cpu'],
  ['ratio', 'cpuRatio'],
  ['p99 ms', 'p99'],
];

/** Formats every table of a run. */
export function tablesText({ tables }: Pick<Results, 'tables'>): string {
  return tables.map(tableText).join('\n');
}

/** Formats one line for each target: met, missed, or not measured in this run. */
export function verdictsText(verdicts: readonly Verdict[]): string {
  const lines = verdicts.map(({ target, measured, met }) => {
    const mark = met === undefined ? '·' : met ? '✓ met   ' : '✗ missed';
    return met === undefined ? `· ${target}: ${measured}` : `${mark} ${target}: ${measured}`;
  });
  return `${lines.join('\n')}\n`;
}

function tableText(table: Table): string {
  const rows = shownRows(table);
  const columns = COLUMNS.filter(([, member]) => rows.some((row) => row[member] !== ''));
  const cells = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, member]) => row[member]))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => (line[at] as string).length)));
  const lines = cells.map((line) =>
    line
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] as number) : cell.padStart(widths[at] as number)))
      .join('  ')
      .trimEnd(),
  );
  const base = table.base === undefined ? '' : `; ratio to ${table.base}`;
  return `\n${table.title} (${table.unit}, ${table.better} is better${base})\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
