/**
 * The chart: for each comparison one bar a contender. The length is the median; a line across the end spans
 * the smallest and largest round.
 */
import { connectionsCase, EHR, TABLES } from '../names.ts';
import { summarise } from '../statistics.ts';
import { rounded } from './figures.ts';
import type { Results, Row, Table } from './results.ts';

const CHARTED: readonly string[] = [TABLES.http, TABLES.getPatient, TABLES.saveAuthInfo, TABLES.saveExchangeToken];
const JUDGED_CASE = connectionsCase(32);

const WIDTH = 860;
const LABELS = 250;
const BARS = 500;
const LINE = 24;
const TITLE = 40;
const MARGIN = 16;

/** Returns an SVG image of the rates at 32 connections, without empty panels. */
export function chart({ tables }: Pick<Results, 'tables'>): string {
  const panels = CHARTED.flatMap((id) => {
    const table = tables.find((one) => one.id === id);
    const rows = table?.rows.filter((row) => row.case === JUDGED_CASE) ?? [];
    return table && rows.length > 0 ? [{ table, rows }] : [];
  });
  let top = MARGIN;
  const drawn = panels.map(({ table, rows }) => {
    const panel = panelAt(top, table, rows);
    top += TITLE + rows.length * LINE + MARGIN;
    return panel;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${top}" viewBox="0 0 ${WIDTH} ${top}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="13">`,
    `<title id="title">Calls a second at ${JUDGED_CASE}, by contender</title>`,
    `<rect width="${WIDTH}" height="${top}" fill="#ffffff"/>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

function panelAt(top: number, table: Table, rows: readonly Row[]): string {
  const largest = Math.max(...rows.flatMap(({ values }) => values));
  const x = (value: number) => LABELS + (BARS * value) / largest;
  const lines = rows.map((row, at) => {
    const { median, min, max } = summarise(row.values);
    const y = top + TITLE + at * LINE;
    const middle = y + LINE / 2 - 2;
    const end = Math.max(x(median), x(max));
    return [
      `<text x="${LABELS - 8}" y="${middle + 4}" text-anchor="end" fill="#1f2933">${escaped(row.of)}</text>`,
      `<rect x="${LABELS}" y="${y}" width="${fixed(x(median) - LABELS)}" height="${LINE - 6}" fill="${row.of === EHR ? '#0b6e4f' : '#9aa5b1'}"/>`,
      `<path d="M${fixed(x(min))} ${middle}H${fixed(x(max))}" stroke="#1f2933" stroke-width="1.5"/>`,
      `<text x="${fixed(end + 8)}" y="${middle + 4}" fill="#1f2933">${rounded(median)}</text>`,
    ].join('\n');
  });
  return [
    `<text x="${MARGIN}" y="${top + 22}" font-size="15" font-weight="600" fill="#1f2933">${escaped(table.title)}, ${escaped(table.unit)}, ${JUDGED_CASE}</text>`,
    ...lines,
  ].join('\n');
}

function fixed(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
