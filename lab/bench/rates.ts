/** Measures calls a second, and CPU time a call, by slices of load in interleaved rounds. */
import type { LoadAnswer } from './load/main.ts';
import type { RequestPlan } from './load/requests.ts';
import { JUDGED_CONNECTIONS } from './plan.ts';
import { connectionsCase, type ResultTable } from './report/results.ts';
import type { Bench } from './run.ts';
import type { MeasuredServer } from './servers.ts';

/** A server, and the next sequence number of a call that it receives. */
export type Rival = { of: string; server: MeasuredServer; next: number };

/** Uncounted slices at first: the engine compiles hot code, and files are read into memory. */
const WARM_UP_SLICES = 3;

export async function measureRates(
  bench: Bench,
  table: Omit<ResultTable, 'rows'>,
  requests: RequestPlan,
  rivals: readonly Rival[],
): Promise<ResultTable> {
  const { rounds } = bench.plan;
  for (const rival of rivals) {
    bench.log(`${table.title}: warming up, ${rival.of}`);
    for (let count = 0; count < WARM_UP_SLICES; count++)
      await measureSlice(bench, requests, rival, JUDGED_CONNECTIONS);
  }
  const rows = bench.plan.connections.flatMap((connections) =>
    rivals.map((rival) => {
      const row = { case: connectionsCase(connections), of: rival.of };
      return { connections, rival, row: { ...row, values: [], cpu: [], p99: [] } as ResultTable['rows'][0] };
    }),
  );
  await interleave(rows, rounds, async ({ connections, rival, row }, round) => {
    bench.log(`${table.title}: round ${round + 1} of ${rounds}, ${row.case}, ${row.of}`);
    const { rate, cpu, p99 } = await measureSlice(bench, requests, rival, connections);
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

async function measureSlice(bench: Bench, requests: RequestPlan, rival: Rival, connections: number) {
  const { server, next: first } = rival;
  const { sliceMs: milliseconds, warmUpMs } = bench.plan;
  const cpuBefore = await server.cpu();
  const job = { port: server.port, connections, warmUpMs, milliseconds, requests, first };
  const answer = await bench.load.ask<LoadAnswer>(job);
  if ('failure' in answer) throw new Error(answer.failure);
  const { result } = answer;
  const spent = (await server.cpu()) - cpuBefore;
  rival.next = result.next;
  bench.onLoad(result.busy);
  return {
    rate: (result.requests / result.milliseconds) * 1_000,
    cpu: spent / result.answered,
    p99: result.p99,
  };
}
