/**
 * The chart: for each comparison one bar a contender. The length is the median; a line across the end spans
 * the smallest and largest round.
 */
import { connectionsCase, EHR, TABLES } from '../names.ts';
import { summarise } from '../statistics.ts';
import type { ResultRow, Results, ResultTable } from './results.ts';
import { rounded } from './tables.ts';

const CHARTED: readonly string[] = [
  TABLES.http,
  TABLES.getPatient,
  TABLES.saveAuthInfo,
  TABLES.saveExchangeToken,
];
const JUDGED_CASE = connectionsCase(32);

const WIDTH_PX = 860;
const LABELS_PX = 250;
const BARS_PX = 500;
const LINE_PX = 24;
const TITLE_PX = 40;
const MARGIN_PX = 16;

/** Returns an SVG image of the rates at 32 connections, without empty panels. */
export function chart({ tables }: Pick<Results, 'tables'>): string {
  const panels = CHARTED.flatMap((id) => {
    const table = tables.find((one) => one.id === id);
    const rows = table?.rows.filter((row) => row.case === JUDGED_CASE) ?? [];
    return table && rows.length > 0 ? [{ table, rows }] : [];
  });
  let top = MARGIN_PX;
  const drawn = panels.map(({ table, rows }) => {
    const panel = panelAt(top, table, rows);
    top += TITLE_PX + rows.length * LINE_PX + MARGIN_PX;
    return panel;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH_PX}" height="${top}" viewBox="0 0 ${WIDTH_PX} ${top}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="13">`,
    `<title id="title">Calls a second at ${JUDGED_CASE}, by contender</title>`,
    `<rect width="${WIDTH_PX}" height="${top}" fill="#ffffff"/>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

function panelAt(top: number, table: ResultTable, rows: readonly ResultRow[]): string {
  const largest = Math.max(...rows.flatMap(({ values }) => values));
  const x = (value: number) => LABELS_PX + (BARS_PX * value) / largest;
  const lines = rows.map((row, at) => {
    const { median, min, max } = summarise(row.values);
    const y = top + TITLE_PX + at * LINE_PX;
    const middle = y + LINE_PX / 2 - 2;
    const end = Math.max(x(median), x(max));
    return [
      `<text x="${LABELS_PX - 8}" y="${middle + 4}" text-anchor="end" fill="#1f2933">${escaped(row.of)}</text>`,
      `<rect x="${LABELS_PX}" y="${y}" width="${fixed(x(median) - LABELS_PX)}" height="${LINE_PX - 6}" fill="${row.of === EHR ? '#0b6e4f' : '#9aa5b1'}"/>`,
      `<path d="M${fixed(x(min))} ${middle}H${fixed(x(max))}" stroke="#1f2933" stroke-width="1.5"/>`,
      `<text x="${fixed(end + 8)}" y="${middle + 4}" fill="#1f2933">${rounded(median)}</text>`,
    ].join('\n');
  });
  return [
    `<text x="${MARGIN_PX}" y="${top + 22}" font-size="15" font-weight="600" fill="#1f2933">${escaped(table.title)}, ${escaped(table.unit)}, ${JUDGED_CASE}</text>`,
    ...lines,
  ].join('\n');
}

function fixed(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
