/** The matrix as a table for a terminal: no line is longer than one is wide, however long the names. */
import { wrap } from '#conformance/engine/report/terminal/terminal.ts';
import type { Cell } from './play.ts';
import { tableOf } from './report.ts';

const MAX_LINE_CHARS = 100;
/** A narrower column would break most words. */
const MIN_COLUMN_CHARS = 12;
const GAP = '  ';
const NAMES = 2;
/** How many columns stand beside each other; a table with more is printed in parts. */
const MAX_COLUMNS = Math.floor((MAX_LINE_CHARS + GAP.length) / (MIN_COLUMN_CHARS + GAP.length));

/** Returns the table. Long names and cells go on in the next line of their column. */
export function terminalTable(cells: readonly Cell[]): string {
  const { head, rows } = tableOf(cells);
  const most = MAX_COLUMNS - NAMES;
  const starts = Array.from({ length: Math.ceil((head.length - NAMES) / most) }, (_, part) => part * most);
  const parts = starts.map((start) =>
    [head, ...rows].map((row) => [...row.slice(0, NAMES), ...row.slice(NAMES + start, NAMES + start + most)]),
  );
  return parts.map(textOf).join('\n\n');
}

function textOf(rows: readonly (readonly string[])[]): string {
  const widths = widthsOf(rows);
  const [head = [], ...others] = rows.map((row) => linesOf(row, widths));
  // Rows of several lines need space between them.
  const between = others.some((lines) => lines.length > 1) ? '\n\n' : '\n';
  const rule = widths.map((width) => '─'.repeat(width)).join(GAP);
  return [...head, rule, others.map((lines) => lines.join('\n')).join(between)].join('\n');
}

/** The width of each column: that of its longest text, unless the line would be too long. */
function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const room = MAX_LINE_CHARS - GAP.length * (widths.length - 1);
  while (widths.reduce((sum, width) => sum + width, 0) > room) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function linesOf(row: readonly string[], widths: readonly number[]): string[] {
  const columns = row.map((text, column) => wrap(text, widths[column] ?? MIN_COLUMN_CHARS));
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((lines, column) => (lines[line] ?? '').padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}
