/** The matrix as Markdown, JSON and a page that opens offline, and as a table for the terminal. */

import { wrap } from '#conformance/engine/report/terminal/terminal.ts';
import { pageOf } from '#conformance/engine/report/viewer/page.ts';
import { commandLine } from '#service/process/command-line/program-name.ts';
import { flows } from '../flows/index.ts';
import { type Cell, countOf, isGreen } from './play.ts';

/** A table: a row for each client with an authorization server, a column for each EHR server. */
type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

function tableOf(cells: readonly Cell[]): Table {
  const columns = [...new Set(cells.map(({ names }) => names['ehr-server']))];
  const lines = [...new Set(cells.map(({ names }) => JSON.stringify([names.client, names['auth-server']])))];
  return {
    head: ['Client', 'Authorization server', ...columns],
    rows: lines.map((line) => {
      const [client = '', auth = ''] = JSON.parse(line) as string[];
      const own = cells.filter(({ names }) => names.client === client && names['auth-server'] === auth);
      const cellOf = (name: string) => own.find(({ names }) => names['ehr-server'] === name);
      return [client, auth, ...columns.map((name) => wordsOf(cellOf(name)))];
    }),
  };
}

/** A combination that is not in the list, such as one server of a pair without the other. */
const NOT_PLAYED = 'not played';

/** A cell in words, such as `✓ 27 passed, 3 left out`. */
export function wordsOf(cell: Cell | undefined): string {
  if (!cell) return NOT_PLAYED;
  if (cell.notStarted !== undefined) return '✗ not started';
  const counts = (['passed', 'failed', 'left out'] as const)
    .map((outcome) => [countOf(cell, outcome), outcome] as const)
    .filter(([count, outcome]) => count > 0 || outcome === 'passed');
  return `${isGreen(cell) ? '✓' : '✗'} ${counts.map(([count, outcome]) => `${count} ${outcome}`).join(', ')}`;
}

export const troublesOf = (cells: readonly Cell[]) =>
  cells
    .filter((cell) => !isGreen(cell))
    .map((cell) => {
      const lines = cell.notStarted === undefined ? cell.flows.flatMap(troubleIn) : [cell.notStarted];
      return { title: titleOf(cell), lines };
    });

export function titleOf({ names }: Cell): string {
  return `${names.client}, ${names['auth-server']}, ${names['ehr-server']}`;
}

function troubleIn({ name, outcome, because = '', difference }: Cell['flows'][number]): string[] {
  if (outcome !== 'failed') return [];
  const [first = ''] = because.split('\n');
  const differing = difference === undefined ? '' : ` The first differing message: ${difference}`;
  return [`${name}: ${first}${differing}`];
}

/** Why flows were left out: each reason with the flows, and the parties. */
function reasonsOf(cells: readonly Cell[]): string[] {
  const reasons = new Map<string, Set<string>>();
  for (const cell of cells)
    for (const { name, outcome, because } of cell.flows)
      if (outcome === 'left out' && because !== undefined)
        reasons.set(because, (reasons.get(because) ?? new Set()).add(name));
  return [...reasons].map(([because, names]) => `${because}: ${[...names].join(', ')}`);
}

/** The flows that were played, each with its sentence. */
function playedFlows(cells: readonly Cell[]): string[] {
  const names = new Set(cells.flatMap((cell) => cell.flows.map(({ name }) => name)));
  return flows.filter(({ name }) => names.has(name)).map(({ name, sentence }) => `${name}: ${sentence}`);
}

export function markdownOf(cells: readonly Cell[]): string {
  const { head, rows } = tableOf(cells);
  const row = (values: readonly string[]) =>
    `| ${values.map((value) => value.replaceAll('|', '\\|')).join(' | ')} |`;
  const troubles = troublesOf(cells).flatMap(({ title, lines }) => [
    '',
    `### ${title}`,
    '',
    ...lines.map(bullet),
  ]);
  const reasons = reasonsOf(cells);
  return [
    `<!-- Written by \`${commandLine('interop')}\`. -->`,
    '',
    '# Who works with whom',
    '',
    'This table shows which parties of different makes work together: each cell is a run of the end-to-end flows with three of them. [Run it with your own](running.md#who-works-with-whom).',
    '',
    row(head),
    row(head.map(() => '---')),
    ...rows.map(row),
    ...(troubles.length > 0 ? ['', '## Behind the red cells', ...troubles] : []),
    ...(reasons.length > 0 ? ['', '## Left out', '', ...reasons.map(bullet)] : []),
    '',
  ].join('\n');
}

const bullet = (line: string) => `- ${line}`;

export function jsonOf(cells: readonly Cell[]): string {
  const combinations = cells.map(({ names, flows: played, notStarted, seconds }) => ({
    client: names.client,
    authServer: names['auth-server'],
    ehrServer: names['ehr-server'],
    seconds: Math.round(seconds * 10) / 10,
    ...(notStarted !== undefined && { notStarted }),
    flows: played,
  }));
  return `${JSON.stringify({ combinations }, undefined, 2)}\n`;
}

export function matrixPage(cells: readonly Cell[]): string {
  const green = cells.filter(isGreen).length;
  const isAllGreen = green === cells.length;
  const sentence = `${green} of ${cells.length} combinations play every flow that they can play.`;
  const troubles = troublesOf(cells).map(({ title, lines }) => ({
    title: `Behind the red: ${title}`,
    lines,
  }));
  const lists = [
    ...troubles,
    { title: 'Left out', lines: reasonsOf(cells) },
    { title: 'The flows', lines: playedFlows(cells) },
  ];
  return pageOf({
    title: `Who works with whom: ${sentence}`,
    sentence: 'With JavaScript this page shows them; so do matrix.md and matrix.json beside it.',
    shown: {
      matrix: {
        ...tableOf(cells),
        verdict: isAllGreen ? 'All work with each other' : `${cells.length - green} do not work`,
        isGreen: isAllGreen,
        sentence: `${sentence} Each cell is a run of the flows below with three parties.`,
        lists: lists.filter(({ lines }) => lines.length > 0),
      },
    },
  });
}

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
