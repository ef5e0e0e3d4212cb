/** The project's promises of speed, judged by the figures of one run. */
import {
  BARE,
  BARE_PER_CALL,
  BUNDLED,
  connectionsCase,
  EHR,
  EXPRESS,
  IN_PROCESS,
  PEERS,
  patientsCase,
  sessionsCase,
  TABLES,
} from '../names.ts';
import { median, medianRatio } from '../statistics.ts';
import { findRow, type Results, type Row, type Table } from './results.ts';

export type Verdict = {
  /** The promise, in a sentence. */
  target: string;
  /** The measured value, in words. */
  measured: string;
  /** Undefined when this run did not measure it. */
  met: boolean | undefined;
};

type Target = { sentence: string; judge: (tables: readonly Table[]) => Omit<Verdict, 'target'> };
type Place = readonly [table: string, at: string, of: string];

const AT_32 = connectionsCase(32);

const targets: readonly Target[] = [
  ratio(
    'get_patient ≥ 0.85 of bare node:http, 32 connections',
    0.85,
    here(TABLES.getPatient, EHR),
    here(TABLES.getPatient, BARE),
  ),
  ratio(
    'get_patient ≥ 3 × stock express 5, 32 connections',
    3,
    here(TABLES.getPatient, EHR),
    here(TABLES.getPatient, EXPRESS),
  ),
  ...[TABLES.saveAuthInfo, TABLES.saveExchangeToken].flatMap((table) => {
    const method = table.replaceAll('-', '_');
    return [
      ratio(
        `${method}, durable ≥ 0.85 of bare with the same grouping, 32 connections`,
        0.85,
        here(table, EHR),
        here(table, BARE),
      ),
      ratio(
        `${method}, durable ≥ 4 × a commit per call, 32 connections`,
        4,
        here(table, EHR),
        here(table, BARE_PER_CALL),
        { limit: [here(table, BARE), here(table, BARE_PER_CALL)] },
      ),
    ];
  }),
  ratio(
    'match at 5 000 000 patients ≥ 0.6 of that at 10 000',
    0.6,
    [TABLES.match, patientsCase(5_000_000), IN_PROCESS],
    [TABLES.match, patientsCase(10_000), IN_PROCESS],
  ),
  ratio(
    'get_patient at 10 000 000 sessions ≥ 0.75 of that at 10 000',
    0.75,
    sizeOf(10_000_000, EHR),
    sizeOf(10_000, EHR),
    { limit: [sizeOf(10_000_000, BARE), sizeOf(10_000, BARE)] },
  ),
  limit('a million fixtures are written in under 20 s', 20, 's', [
    TABLES.fixtures,
    patientsCase(1_000_000),
    'npm run fixtures',
  ]),
  ratio(
    'a bundled server listens within 2.5 × the time of bare node:http',
    2.5,
    [TABLES.start, 'to listening', BUNDLED],
    [TABLES.start, 'to listening', BARE],
    { bound: 'at most' },
  ),
  { sentence: 'every peer is beaten', judge: judgePeers },
];

/** Judges all promises, in order. */
export function judge({ tables }: Pick<Results, 'tables'>): Verdict[] {
  return targets.map(({ sentence, judge: judgeOne }) => ({ target: sentence, ...judgeOne(tables) }));
}

/** Lists where a peer was faster than the EHR server: the table, the case and the peer. */
export function lostTo(tables: readonly Table[]): { table: Table; row: Row; ratio: number }[] {
  return comparisons(tables).filter(({ ratio: share }) => share < 1);
}

function comparisons(tables: readonly Table[]) {
  return tables.flatMap((table) =>
    table.rows
      .filter(({ of }) => PEERS.includes(of))
      .flatMap((row) => {
        const ours = findRow(tables, table.id, row.case, EHR);
        return ours ? [{ table, row, ratio: medianRatio(ours.values, row.values) }] : [];
      }),
  );
}

function judgePeers(tables: readonly Table[]): Omit<Verdict, 'target'> {
  const all = comparisons(tables);
  if (all.length === 0) return NOT_MEASURED;
  const lost = lostTo(tables);
  const by = lost.map(
    ({ table, row, ratio: share }) => `${row.of} in "${table.title}", ${row.case} (${share.toFixed(2)})`,
  );
  const closest = Math.min(...all.map(({ ratio: share }) => share));
  return lost.length === 0
    ? { measured: `${all.length} comparisons, the closest ${closest.toFixed(2)} ×`, met: true }
    : { measured: `faster than us: ${by.join('; ')}`, met: false };
}

const NOT_MEASURED: Omit<Verdict, 'target'> = { measured: 'not measured in this run', met: undefined };

function here(table: string, of: string): Place {
  return [table, AT_32, of];
}

function sizeOf(sessions: number, of: string): Place {
  return [TABLES.sizes, sessionsCase(sessions), of];
}

type RatioOptions = {
  bound?: 'at least' | 'at most';
  /** The same ratio for a server that does only what is necessary: the best possible on this machine. */
  limit?: readonly [Place, Place];
};

function ratio(
  sentence: string,
  wanted: number,
  place: Place,
  basePlace: Place,
  { bound = 'at least', limit: limitPlaces }: RatioOptions = {},
): Target {
  return {
    sentence,
    judge(tables) {
      const measured = ratioOf(tables, place, basePlace);
      if (measured === undefined) return NOT_MEASURED;
      const most = limitPlaces && ratioOf(tables, ...limitPlaces);
      const beside = most === undefined ? '' : ` (bare node:http: ${most.toFixed(2)})`;
      const met = bound === 'at least' ? measured >= wanted : measured <= wanted;
      return { measured: measured.toFixed(2) + beside, met };
    },
  };
}

function ratioOf(tables: readonly Table[], place: Place, basePlace: Place): number | undefined {
  const [row, base] = [findRow(tables, ...place), findRow(tables, ...basePlace)];
  return row && base && medianRatio(row.values, base.values);
}

function limit(sentence: string, most: number, unit: string, place: Place): Target {
  return {
    sentence,
    judge(tables) {
      const row = findRow(tables, ...place);
      if (!row) return NOT_MEASURED;
      const measured = median(row.values);
      return { measured: `${measured.toFixed(1)} ${unit}`, met: measured < most };
    },
  };
}
