/** Formats figures, so that the console and the page round and compare alike. */
import { medianRatio, summarise } from '../statistics.ts';
import { findRow, type Row, type Table } from './results.ts';

/** A row of a table in words. */
export type Shown = {
  case: string;
  of: string;
  median: string;
  min: string;
  max: string;
  /**
   * The ratio to the base of its case, made round by round. Empty for the base itself and where there is
   * none.
   */
  ratio: string;
  /**
   * Microseconds of the server's CPU time for a call, and its ratio to the base's. Empty where it was not
   * measured.
   */
  cpu: string;
  cpuRatio: string;
  p99: string;
};

/** Formats every row of a table, in order. */
export function shownRows(table: Table): Shown[] {
  return table.rows.map((row) => {
    const base = baseOf(table, row);
    const { median, min, max } = summarise(row.values);
    return {
      case: row.case,
      of: row.of,
      median: rounded(median),
      min: rounded(min),
      max: rounded(max),
      ratio: base ? ratioText(row.values, base.values) : '',
      cpu: row.cpu ? rounded(summarise(row.cpu).median) : '',
      cpuRatio: row.cpu && base?.cpu ? ratioText(row.cpu, base.cpu) : '',
      p99: row.p99 ? rounded(summarise(row.p99).median) : '',
    };
  });
}

/** Rounds to three digits, or to a whole number where that is longer. */
export function rounded(value: number): string {
  if (value !== 0 && Math.abs(value) < 100) return String(Number(value.toPrecision(3)));
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ');
}

function baseOf(table: Table, row: Row): Row | undefined {
  if (table.base === undefined || row.of === table.base) return undefined;
  return findRow([table], table.id, row.case, table.base);
}

function ratioText(values: readonly number[], base: readonly number[]): string {
  return medianRatio(values, base).toFixed(2);
}
