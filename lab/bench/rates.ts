/** Measures calls a second, and CPU time a call, by slices of load in interleaved rounds. */
import type { LoadAnswer } from './load/main.ts';
import type { RequestPlan } from './load/requests.ts';
import { JUDGED_CONNECTIONS } from './plan.ts';
import { connectionsCase, type ResultRow, type ResultTable } from './report/results.ts';
import type { Bench } from './run.ts';
import type { MeasuredServer } from './servers.ts';

/** The server of a contender, and the next sequence number of a call that it receives. */
export type RunningContender = { of: string; server: MeasuredServer; next: number };

/** Uncounted slices at first: the engine compiles hot code, and files are read into memory. */
const WARM_UP_SLICES = 3;

export async function measureRates(
  bench: Bench,
  table: Omit<ResultTable, 'rows'>,
  requests: RequestPlan,
  running: readonly RunningContender[],
): Promise<ResultTable> {
  const { rounds } = bench.plan;
  for (const contender of running) {
    bench.log(`${table.title}: warming up, ${contender.of}`);
    for (let count = 0; count < WARM_UP_SLICES; count++)
      await measureSlice(bench, requests, contender, JUDGED_CONNECTIONS);
  }
  const rows = bench.plan.connections.flatMap((connections) =>
    running.map((contender) => {
      const condition = connectionsCase(connections);
      const row: ResultRow = { case: condition, of: contender.of, values: [], cpu: [], p99: [] };
      return { connections, contender, row };
    }),
  );
  await interleave(rows, rounds, async ({ connections, contender, row }, round) => {
    bench.log(`${table.title}: round ${round + 1} of ${rounds}, ${row.case}, ${row.of}`);
    const { rate, cpu, p99 } = await measureSlice(bench, requests, contender, connections);
    row.values.push(rate);
    row.cpu.push(cpu);
    row.p99.push(p99);
  });
  return { ...table, rows: rows.map(({ row }) => row) };
}

/** Forwards and backwards in turn: a machine that slows down slows all of them. */
export async function interleave<Item>(
  items: readonly Item[],
  rounds: number,
  measure: (item: Item, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const item of round % 2 === 0 ? items : items.toReversed()) await measure(item, round);
  }
}

async function measureSlice(
  bench: Bench,
  requests: RequestPlan,
  contender: RunningContender,
  connections: number,
) {
  const { server, next: first } = contender;
  const { sliceMs: milliseconds, warmUpMs } = bench.plan;
  const cpuBefore = await server.cpu();
  const job = { port: server.port, connections, warmUpMs, milliseconds, requests, first };
  const answer = await bench.load.ask<LoadAnswer>(job);
  if ('failure' in answer) throw new Error(answer.failure);
  const { result } = answer;
  const spent = (await server.cpu()) - cpuBefore;
  contender.next = result.next;
  bench.onLoad(result.busy);
  return {
    rate: (result.requests / result.milliseconds) * 1_000,
    cpu: spent / result.answered,
    p99: result.p99,
  };
}
