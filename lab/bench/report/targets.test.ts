import { expect, test } from 'vitest';
import { BARE, BUNDLED, connectionsCase, EHR, EXPRESS, OAUTH, TABLES } from '../names.ts';
import type { Table } from './results.ts';
import { judge, lostTo } from './targets.ts';
import { goodTables, tableOf } from './testing.ts';

/** Returns the good tables with other figures for one contender of one table. */
function changed(id: string, of: string, values: number[], at?: string): Table[] {
  return goodTables().map((table) => ({
    ...table,
    rows: table.rows.map((row) =>
      table.id === id && row.of === of && (at === undefined || row.case === at) ? { ...row, values } : row,
    ),
  }));
}

function missedIn(tables: Table[]): string[] {
  return judge({ tables })
    .filter(({ met }) => met === false)
    .map(({ target }) => target);
}

test('figures that keep every promise meet every target', () => {
  const verdicts = judge({ tables: goodTables() });
  expect(verdicts.map(({ met }) => met)).toEqual(Array(11).fill(true));
});

const JUDGED_CASE = connectionsCase(32);
const broken: readonly (readonly [target: string, tables: Table[]])[] = [
  ['get_patient ≥ 0.85 of bare', changed(TABLES.getPatient, EHR, [840, 840])],
  ['get_patient ≥ 3 × stock express 5', changed(TABLES.getPatient, EXPRESS, [320, 320])],
  ['save_auth_info, durable ≥ 0.85', changed(TABLES.saveAuthInfo, EHR, [840, 840])],
  ['save_auth_info, durable ≥ 4 ×', changed(TABLES.saveAuthInfo, 'bare node:http, a commit per call', [240, 240])],
  ['save_exchange_token, durable ≥ 0.85', changed(TABLES.saveExchangeToken, EHR, [840, 840])],
  [
    'save_exchange_token, durable ≥ 4 ×',
    changed(TABLES.saveExchangeToken, 'bare node:http, a commit per call', [240, 240]),
  ],
  ['match at 5 000 000 patients', changed(TABLES.match, 'search in the process', [59], '5 000 000 patients')],
  ['get_patient at 10 000 000 sessions', changed(TABLES.sizes, EHR, [74], '10 000 000 sessions')],
  ['a million fixtures', changed(TABLES.fixtures, 'npm run fixtures', [20])],
  ['a bundled server listens', changed(TABLES.start, BUNDLED, [151])],
  ['every peer is beaten', changed(TABLES.http, OAUTH, [901, 911])],
];

for (const [target, tables] of broken) {
  test(`a run that falls short is told so: ${target}`, () => {
    const missed = missedIn(tables);
    expect(missed).toHaveLength(1);
    expect(missed[0]).toContain(target);
  });
}

test('beside what we reach of a promise stands what bare node:http reaches of it', () => {
  const [, , , perCall] = judge({ tables: goodTables() });
  expect(perCall?.measured).toBe('4.63 (bare node:http: 5.00)');
  const withoutBare = goodTables().map((table) => ({ ...table, rows: table.rows.filter(({ of }) => of !== BARE) }));
  expect(judge({ tables: withoutBare })[3]?.measured).toBe('4.63');
});

test('what a run did not measure is neither met nor missed', () => {
  const verdicts = judge({ tables: [] });
  expect(verdicts.map(({ met }) => met)).toEqual(Array(11).fill(undefined));
  expect(verdicts[0]?.measured).toBe('not measured in this run');
});

test('a peer that was faster is named with its table and case; bare node:http is no peer', () => {
  const tables = [
    tableOf(TABLES.http, [
      [JUDGED_CASE, EHR, 100],
      [JUDGED_CASE, BARE, 200],
      [JUDGED_CASE, EXPRESS, 125],
    ]),
  ];
  expect(lostTo(tables)).toMatchObject([{ row: { of: EXPRESS }, ratio: 0.8 }]);
  expect(judge({ tables }).at(-1)).toEqual({
    target: 'every peer is beaten',
    measured: `faster than us: ${EXPRESS} in "${TABLES.http}", ${JUDGED_CASE} (0.80)`,
    met: false,
  });
});
