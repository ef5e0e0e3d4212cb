/** Prints the rows of a hostile run as a table. */
import type { Row } from './run.ts';

const COLUMNS = [
  ['attack', 22],
  ['connections', 11],
  ['p50', 13],
  ['p99', 15],
  ['ratio', 6],
  ['in use, MiB', 13],
  ['resident, MiB', 15],
  ['replies', 0],
] as const;

/**
 * The heading of the table. Times are in milliseconds, in quiet and under attack. Memory is before and after
 * the attack; resident memory also has its peak.
 */
export const heading = line(COLUMNS.map(([name]) => name));

export function rowText({ attack, rateLimit, connections, quiet, under, ratio, memory, report, broken }: Row): string {
  const { before, peak, after } = memory;
  const cells = [
    rateLimit === 'on' ? attack : `${attack}, unlimited`,
    String(connections),
    `${quiet.p50.toFixed(1)} → ${under.p50.toFixed(1)}`,
    `${quiet.p99.toFixed(1)} → ${under.p99.toFixed(1)}`,
    ratio.toFixed(1),
    `${mebibytes(before.used)} → ${mebibytes(after.used)}`,
    `${mebibytes(before.resident)} ${mebibytes(peak)} ${mebibytes(after.resident)}`,
    Object.entries(report.replies)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ') || 'none',
  ];
  return [line(cells), ...broken.map((sentence) => `  BROKEN: ${sentence}`)].join('\n');
}

function line(cells: readonly string[]): string {
  return cells
    .map((cell, index) => cell.padEnd(COLUMNS[index]?.[1] ?? 0))
    .join('  ')
    .trimEnd();
}

const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);
