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
import { findRow, type ResultRow, type Results, type ResultTable } from './results.ts';

export type Verdict = {
  /** The promise, in a sentence. */
  target: string;
  /** The measured value, in words. */
  measured: string;
  /** Undefined when this run did not measure it. */
  met: boolean | undefined;
};

type Figure = readonly [table: string, at: string, of: string];

/** A promise about the ratio of two figures, or about one figure in seconds. */
type Target = {
  sentence: string;
  figure: Figure;
  base?: Figure;
  atLeast?: number;
  atMost?: number;
  /** The same ratio for a server that does only what is necessary: the best possible on this machine. */
  limit?: readonly [Figure, Figure];
};

const AT_32 = connectionsCase(32);
const sizeOf = (sessions: number, of: string): Figure => [TABLES.sizes, sessionsCase(sessions), of];
const matchAt = (patients: number): Figure => [TABLES.match, patientsCase(patients), IN_PROCESS];

const saves = [TABLES.saveAuthInfo, TABLES.saveExchangeToken].flatMap((table): Target[] => {
  const method = table.replaceAll('-', '_');
  const figure: Figure = [table, AT_32, EHR];
  const [bare, perCall]: Figure[] = [
    [table, AT_32, BARE],
    [table, AT_32, BARE_PER_CALL],
  ];
  const limit = [bare as Figure, perCall as Figure] as const;
  const grouped = `${method}, durable ≥ 0.85 of bare with the same grouping, 32 connections`;
  const single = `${method}, durable ≥ 4 × a commit per call, 32 connections`;
  return [
    { sentence: grouped, figure, base: limit[0], atLeast: 0.85 },
    { sentence: single, figure, base: limit[1], atLeast: 4, limit },
  ];
});

const targets: readonly Target[] = [
  {
    sentence: 'get_patient ≥ 0.85 of bare node:http, 32 connections',
    figure: [TABLES.getPatient, AT_32, EHR],
    base: [TABLES.getPatient, AT_32, BARE],
    atLeast: 0.85,
  },
  {
    sentence: 'get_patient ≥ 3 × stock express 5, 32 connections',
    figure: [TABLES.getPatient, AT_32, EHR],
    base: [TABLES.getPatient, AT_32, EXPRESS],
    atLeast: 3,
  },
  ...saves,
  {
    sentence: 'match at 5 000 000 patients ≥ 0.6 of that at 10 000',
    figure: matchAt(5_000_000),
    base: matchAt(10_000),
    atLeast: 0.6,
  },
  {
    sentence: 'get_patient at 10 000 000 sessions ≥ 0.75 of that at 10 000',
    figure: sizeOf(10_000_000, EHR),
    base: sizeOf(10_000, EHR),
    atLeast: 0.75,
    limit: [sizeOf(10_000_000, BARE), sizeOf(10_000, BARE)],
  },
  {
    sentence: 'a million fixtures are written in under 20 s',
    figure: [TABLES.fixtures, patientsCase(1_000_000), 'npm run fixtures'],
    atMost: 20,
  },
  {
    sentence: 'a bundled server listens within 2.5 × the time of bare node:http',
    figure: [TABLES.start, 'to listening', BUNDLED],
    base: [TABLES.start, 'to listening', BARE],
    atMost: 2.5,
  },
];

/** Judges all promises, in order. */
export function judge({ tables }: Pick<Results, 'tables'>): Verdict[] {
  const verdicts = targets.map((target) => ({ target: target.sentence, ...judgeOne(target, tables) }));
  return [...verdicts, { target: 'every peer is beaten', ...judgePeers(tables) }];
}

const NOT_MEASURED: Omit<Verdict, 'target'> = { measured: 'not measured in this run', met: undefined };

function judgeOne({ figure, base, atLeast, atMost, limit }: Target, tables: readonly ResultTable[]) {
  const value = base ? ratioOf(tables, figure, base) : medianOf(findRow(tables, ...figure));
  if (value === undefined) return NOT_MEASURED;
  const most = limit && ratioOf(tables, ...limit);
  const beside = most === undefined ? '' : ` (bare node:http: ${most.toFixed(2)})`;
  const met = value >= (atLeast ?? 0) && value <= (atMost ?? Number.POSITIVE_INFINITY);
  return { measured: base ? value.toFixed(2) + beside : `${value.toFixed(1)} s`, met };
}

function ratioOf(tables: readonly ResultTable[], figure: Figure, base: Figure): number | undefined {
  const [row, baseRow] = [findRow(tables, ...figure), findRow(tables, ...base)];
  return row && baseRow && medianRatio(row.values, baseRow.values);
}

function medianOf(row: ResultRow | undefined): number | undefined {
  return row && median(row.values);
}

type Comparison = { table: ResultTable; row: ResultRow; ratio: number };

/** Lists where a peer was faster than the EHR server: the table, the case and the peer. */
export function lostTo(tables: readonly ResultTable[]): Comparison[] {
  return comparisons(tables).filter(({ ratio }) => ratio < 1);
}

function comparisons(tables: readonly ResultTable[]): Comparison[] {
  return tables.flatMap((table) =>
    table.rows
      .filter(({ of }) => PEERS.includes(of))
      .flatMap((row) => {
        const ours = findRow(tables, table.id, row.case, EHR);
        return ours ? [{ table, row, ratio: medianRatio(ours.values, row.values) }] : [];
      }),
  );
}

function judgePeers(tables: readonly ResultTable[]): Omit<Verdict, 'target'> {
  const all = comparisons(tables);
  if (all.length === 0) return NOT_MEASURED;
  const by = lostTo(tables).map(
    ({ table, row, ratio }) => `${row.of} in "${table.title}", ${row.case} (${ratio.toFixed(2)})`,
  );
  if (by.length > 0) return { measured: `faster than us: ${by.join('; ')}`, met: false };
  const closest = Math.min(...all.map(({ ratio }) => ratio));
  return { measured: `${all.length} comparisons, the closest ${closest.toFixed(2)} ×`, met: true };
}
