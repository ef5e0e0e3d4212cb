/**
 * Measures how many calls a second servers answer: slices of load in interleaved rounds, with the server's
 * CPU time beside the rate.
 */
import type { LoadAnswer } from './load/main.ts';
import type { RequestPlan } from './load/requests.ts';
import type { ResultRow, ResultTable } from './report/results.ts';
import type { Bench } from './run.ts';
import type { Server } from './servers.ts';

/** A server, or several that share the work, and the calls that it receives. */
export type Contender = {
  of: string;
  servers: readonly Server[];
  plan: RequestPlan;
  /** The next sequence number. Contenders on one database share it, so that none sends a call of another. */
  numbers: { next: number };
  /** Called before each slice, outside the measured time. */
  prepare?: () => Promise<void>;
  /** The warm-up of each slice in milliseconds, where the plan's is too short. */
  warmUpMs?: number;
};

export type Condition = { case: string; connections: number; contenders: readonly Contender[] };

type RateTable = Pick<ResultTable, 'id' | 'title' | 'about' | 'base'>;

/**
 * Uncounted slices of each contender at first: the engine compiles hot code, and files are read into memory.
 */
const WARM_UP_SLICES = 3;

export type Slice = { rate: number; cpu: number; p99: number };

/** Measures every contender under every condition. */
export async function measureRates(
  bench: Bench,
  table: RateTable,
  conditions: readonly Condition[],
): Promise<ResultTable> {
  const { rounds } = bench.plan;
  const seats = conditions.flatMap((one) =>
    one.contenders.map((contender) => ({ ...one, contender, slices: [] as Slice[] })),
  );
  for (const contender of new Set(seats.map((seat) => seat.contender))) {
    bench.log(`${table.title}: warming up, ${contender.of}`);
    for (let count = 0; count < WARM_UP_SLICES; count++) await measureSlice(bench, contender, 32);
  }
  await interleave(seats, rounds, async ({ contender, connections, slices, ...seat }, round) => {
    bench.log(`${table.title}: round ${round + 1} of ${rounds}, ${seat.case}, ${contender.of}`);
    slices.push(await measureSlice(bench, contender, connections));
  });
  const rows = seats.map(
    (seat): ResultRow => ({
      case: seat.case,
      of: seat.contender.of,
      values: seat.slices.map(({ rate }) => rate),
      cpu: seat.slices.map(({ cpu }) => cpu),
      p99: seat.slices.map(({ p99 }) => p99),
    }),
  );
  return { ...table, unit: 'calls/s', better: 'higher', rows };
}

/**
 * Goes through `items` once each round, forwards and backwards in turn, so that none is always first and a
 * machine that slows down slows all of them.
 */
export async function interleave<Item>(
  items: readonly Item[],
  rounds: number,
  measure: (item: Item, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const item of round % 2 === 0 ? items : items.toReversed()) await measure(item, round);
  }
}

async function measureSlice(bench: Bench, contender: Contender, connections: number): Promise<Slice> {
  bench.signal.throwIfAborted();
  const { servers, plan, numbers, prepare, warmUpMs = bench.plan.warmUpMs } = contender;
  await prepare?.();
  const before = await cpuOf(servers);
  const ports = servers.map(({ port }) => port);
  const job = { ports, connections, warmUpMs, milliseconds: bench.plan.sliceMs, plan, first: numbers.next };
  const answer = await bench.load.ask<LoadAnswer>(job);
  if ('failure' in answer) throw new Error(answer.failure);
  const { requests, milliseconds, answered, busy, p99, next } = answer.result;
  const spent = (await cpuOf(servers)) - before;
  numbers.next = next;
  bench.onLoad(busy);
  return { rate: (requests / milliseconds) * 1_000, cpu: spent / answered, p99 };
}

async function cpuOf(servers: readonly Server[]): Promise<number> {
  const times = await Promise.all(servers.map((server) => server.cpu()));
  return times.reduce((sum, time) => sum + time, 0);
}
