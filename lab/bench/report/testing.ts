/** Results of an invented run in which every target is met, for tests. */
import {
  BARE,
  BARE_PER_CALL,
  BUNDLED,
  connectionsCase,
  EHR,
  EXPRESS,
  IN_PROCESS,
  OAUTH,
  patientsCase,
  sessionsCase,
  TABLES,
} from '../names.ts';
import type { Results, Row, Table } from './results.ts';

const JUDGED_CASE = connectionsCase(32);

/** Creates a table from its rows: `[case, of, ...values]`. */
export function tableOf(
  id: string,
  rows: readonly (readonly [string, string, ...number[]])[],
  more: Partial<Table> = {},
): Table {
  const made = rows.map(([at, of, ...values]): Row => ({ case: at, of, values }));
  return { id, title: id, about: 'About it.', unit: 'calls/s', better: 'higher', rows: made, ...more };
}

/** Creates tables that meet every target. */
export function goodTables(): Table[] {
  const saved = [
    [JUDGED_CASE, EHR, 900, 950],
    [JUDGED_CASE, BARE, 1000, 1000],
    [JUDGED_CASE, BARE_PER_CALL, 200, 200],
  ] as const;
  return [
    tableOf(TABLES.http, [
      [JUDGED_CASE, EHR, 900, 910],
      [JUDGED_CASE, OAUTH, 20, 21],
    ]),
    tableOf(
      TABLES.getPatient,
      [
        [JUDGED_CASE, EHR, 900, 930],
        [JUDGED_CASE, BARE, 1000, 1000],
        [JUDGED_CASE, EXPRESS, 250, 250],
      ],
      { base: BARE },
    ),
    tableOf(TABLES.saveAuthInfo, saved, { base: BARE }),
    tableOf(TABLES.saveExchangeToken, saved, { base: BARE }),
    tableOf(TABLES.match, [
      [patientsCase(10_000), IN_PROCESS, 100],
      [patientsCase(5_000_000), IN_PROCESS, 70],
    ]),
    tableOf(TABLES.sizes, [
      [sessionsCase(10_000), EHR, 100],
      [sessionsCase(10_000_000), EHR, 80],
    ]),
    tableOf(TABLES.fixtures, [[patientsCase(1_000_000), 'npm run fixtures', 12.5]]),
    tableOf(TABLES.start, [
      ['to listening', BARE, 60],
      ['to listening', BUNDLED, 120],
    ]),
  ];
}

export function resultsOf(tables: Table[]): Results {
  return {
    format: 1,
    day: '2026-01-15',
    seconds: 1_200,
    quick: false,
    machine: {
      cores: 2,
      cpu: 'A processor',
      memoryGib: 8,
      system: 'Linux 6',
      node: '20.19.0',
      sqlite: '3.50.0',
      pinned: true,
    },
    versions: { express: '5.3.0', jayson: '5.0.0' },
    loadBusy: 0.4,
    tables,
  };
}
