/** Measuring how many calls a second servers answer: slices of load in interleaved rounds, with the server's CPU time beside the rate. */
import type { Bench } from './bench.ts';
import type { RequestPlan } from './load/messages.ts';
import type { Server } from './processes/server.ts';
import type { Row, Table } from './report/results.ts';
import { interleave } from './rounds.ts';

/** A server, or several that share the work, and what it is asked. */
export type Contender = {
  of: string;
  servers: readonly Server[];
  plan: RequestPlan;
  /** Counts on from slice to slice; shared by contenders on one database that must not send the same call twice. */
  numbers: { next: number };
  /** Done before each slice, uncounted. */
  prepare?: () => Promise<void>;
  /** Milliseconds of each slice that are not counted, where it takes more than the plan has. */
  warmUp?: number;
};

export type Case = { case: string; connections: number; contenders: readonly Contender[] };

export type RateTable = Pick<Table, 'id' | 'title' | 'about' | 'base'>;

/** Slices of each contender before the first one that counts. */
export const WARM_UPS = 3;

export type Slice = { rate: number; cpu: number; p99: number };

/** Measures every contender of every case. */
export async function measureRates(bench: Bench, table: RateTable, cases: readonly Case[]): Promise<Table> {
  const { rounds } = bench.plan;
  const seats = cases.flatMap((one) => one.contenders.map((contender) => ({ ...one, contender })));
  const slices = new Map(seats.map((seat) => [seat, [] as Slice[]]));
  // Not counted: the engine compiles what it sees often, and a large file comes into the server's memory.
  for (const contender of new Set(seats.map((seat) => seat.contender))) {
    bench.say(`${table.title}: warming up, ${contender.of}`);
    for (let count = 0; count < WARM_UPS; count++) await measureSlice(bench, contender, 32);
  }
  await interleave(seats, rounds, async (seat, round) => {
    bench.say(`${table.title}: round ${round + 1} of ${rounds}, ${seat.case}, ${seat.contender.of}`);
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

/** One slice of load on one contender. */
export async function measureSlice(bench: Bench, contender: Contender, connections: number): Promise<Slice> {
  bench.signal.throwIfAborted();
  const { servers, plan, prepare, warmUp = bench.plan.warmUp } = contender;
  await prepare?.();
  const before = await cpuOf(servers);
  const result = await bench.load.run({
    ports: servers.map(({ port }) => port),
    connections,
    warmUp,
    milliseconds: bench.plan.slice,
    plan,
    first: contender.numbers.next,
  });
  const spent = (await cpuOf(servers)) - before;
  contender.numbers.next = result.next;
  bench.sawLoad(result.busy);
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
