/**
 * Measures how many calls a second servers answer: slices of load in interleaved rounds, with the server's
 * CPU time beside the rate.
 */
import type { Bench } from './bench.ts';
import type { RequestPlan } from './load/messages.ts';
import type { Server } from './processes/server.ts';
import type { Row, Table } from './report/results.ts';
import { interleave } from './rounds.ts';

/** A server, or several that share the work, and the calls that it receives. */
export type Contender = {
  of: string;
  servers: readonly Server[];
  plan: RequestPlan;
  /**
   * The next sequence number. Contenders on one database share it when they must not send the same call
   * twice.
   */
  numbers: { next: number };
  /** Called before each slice, outside the measured time. */
  prepare?: () => Promise<void>;
  /** The warm-up of each slice in milliseconds, where the plan's is too short. */
  warmUpMs?: number;
};

export type Case = { case: string; connections: number; contenders: readonly Contender[] };

export type RateTable = Pick<Table, 'id' | 'title' | 'about' | 'base'>;

/** Uncounted slices of each contender before the first one that counts. */
export const WARM_UP_SLICES = 3;

export type Slice = { rate: number; cpu: number; p99: number };

/** Measures every contender of every case. */
export async function measureRates(bench: Bench, table: RateTable, cases: readonly Case[]): Promise<Table> {
  const { rounds } = bench.plan;
  const seats = cases.flatMap((one) => one.contenders.map((contender) => ({ ...one, contender })));
  const slices = new Map(seats.map((seat) => [seat, [] as Slice[]]));
  // These slices are not counted: the engine compiles hot code, and a large file is loaded into memory.
  for (const contender of new Set(seats.map((seat) => seat.contender))) {
    bench.log(`${table.title}: warming up, ${contender.of}`);
    for (let count = 0; count < WARM_UP_SLICES; count++) await measureSlice(bench, contender, 32);
  }
  await interleave(seats, rounds, async (seat, round) => {
    bench.log(`${table.title}: round ${round + 1} of ${rounds}, ${seat.case}, ${seat.contender.of}`);
    slices.get(seat)?.push(await measureSlice(bench, seat.contender, seat.connections));
  });
  const rows = [...slices].map(([seat, measured]) => rowOf(seat.case, seat.contender.of, measured));
  return { ...table, unit: 'calls/s', better: 'higher', rows };
}

export function rowOf(at: string, of: string, slices: readonly Slice[]): Row {
  return {
    case: at,
    of,
    values: slices.map(({ rate }) => rate),
    cpu: slices.map(({ cpu }) => cpu),
    p99: slices.map(({ p99 }) => p99),
  };
}

/** Measures one slice of load on one contender. */
export async function measureSlice(bench: Bench, contender: Contender, connections: number): Promise<Slice> {
  bench.signal.throwIfAborted();
  const { servers, plan, prepare, warmUpMs = bench.plan.warmUpMs } = contender;
  await prepare?.();
  const before = await cpuOf(servers);
  const result = await bench.load.run({
    ports: servers.map(({ port }) => port),
    connections,
    warmUpMs,
    milliseconds: bench.plan.sliceMs,
    plan,
    first: contender.numbers.next,
  });
  const spent = (await cpuOf(servers)) - before;
  contender.numbers.next = result.next;
  bench.onLoad(result.busy);
  return {
    rate: (result.requests / result.milliseconds) * 1_000,
    cpu: spent / result.answered,
    p99: result.latency.p99,
  };
}

async function cpuOf(servers: readonly Server[]): Promise<number> {
  const usages = await Promise.all(servers.map((server) => server.usage()));
  return usages.reduce((sum, { cpu }) => sum + cpu, 0);
}
