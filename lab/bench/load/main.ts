/** The process of the load generator: keeps one call under way on each connection for the time of a slice. */
import { Client } from 'undici';
import { percentile } from '../report/statistics.ts';
import { bodiesOf, type RequestPlan } from './requests.ts';

export type LoadJob = {
  port: number;
  connections: number;
  warmUpMs: number;
  milliseconds: number;
  requests: RequestPlan;
  /** The first sequence number. */
  first: number;
};

export type LoadResult = {
  /** Requests answered within the counted time, and their 99th percentile in milliseconds. */
  requests: number;
  milliseconds: number;
  p99: number;
  /** All answered requests, including the warm-up: the server spent its CPU time on these. */
  answered: number;
  /** The part of one core that the generator itself used. */
  busy: number;
  /** The first sequence number that was not used. */
  next: number;
};

/** `failure`: the first reply that is no success. */
export type LoadAnswer = { result: LoadResult } | { failure: string };

process.on('message', (job: LoadJob) => {
  runLoad(job).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ failure: error.message }),
  );
});
process.on('disconnect', () => process.exit(0));

async function runLoad(job: LoadJob): Promise<LoadResult> {
  const { port, connections, warmUpMs, milliseconds, first } = job;
  const bodyOf = bodiesOf(job.requests);
  const latencies: number[] = [];
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  const [countFrom, end] = [begun + warmUpMs, begun + warmUpMs + milliseconds];
  let next = first;
  let countedUntil = end;
  // A slow server is waited for until it has answered once within the counted time.
  const isOver = () => performance.now() >= end && latencies.length > 0;
  const noteAnswer = (sentAt: number) => {
    const now = performance.now();
    if (now < countFrom || isOver()) return;
    latencies.push(now - sentAt);
    countedUntil = Math.max(end, now);
  };
  const converse = async () => {
    const client = new Client(`http://127.0.0.1:${port}`);
    try {
      while (!isOver()) {
        const sentAt = performance.now();
        await exchange(client, bodyOf(next++));
        noteAnswer(sentAt);
      }
    } finally {
      await client.destroy();
    }
  };
  await Promise.all(Array.from({ length: connections }, converse));
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    requests: latencies.length,
    milliseconds: countedUntil - countFrom,
    p99: percentile(latencies, 0.99),
    answered: next - first,
    busy: (user + system) / 1_000 / (performance.now() - begun),
    next,
  };
}

/** Throws an Error for a reply that is no success. `dispatch` costs half of what `request` does. */
function exchange(client: Client, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    const fail = (why: string) => reject(new Error(`Failed to measure: ${why}`));
    client.dispatch(
      { method: 'POST', path: '/1.0-alpha/', headers: { 'content-type': 'application/json' }, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode) => {
          status = statusCode;
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd() {
          const reply = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
          if (status === 200 && reply.includes('"result":')) resolve();
          else fail(`a call was answered with HTTP ${status} ${reply.subarray(0, 400)}`);
        },
        onResponseError: (_controller, error) => fail(error.message),
      },
    );
  });
}
