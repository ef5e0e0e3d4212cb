/** The process of the load generator: keeps one call under way on each connection for the time of a slice. */
import { Client } from 'undici';
import { percentile } from '../statistics.ts';
import { type RequestPlan, requestsOf } from './requests.ts';

export type LoadJob = {
  /** Connections are assigned to these ports in turn. */
  ports: readonly number[];
  connections: number;
  /** Duration of the warm-up in milliseconds, which is not counted. */
  warmUpMs: number;
  milliseconds: number;
  plan: RequestPlan;
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
  /** The first unused sequence number. */
  next: number;
};

/** `failure`: the first reply that is no success. A figure made of errors would be misleading. */
export type LoadAnswer = { result: LoadResult } | { failure: string };

process.on('message', (job: LoadJob) => {
  runLoad(job).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ failure: error.message }),
  );
});
process.on('disconnect', () => process.exit(0));

async function runLoad({
  ports,
  connections,
  warmUpMs,
  milliseconds,
  plan,
  first,
}: LoadJob): Promise<LoadResult> {
  const requests = requestsOf(plan);
  const latencies: number[] = [];
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  const [countFrom, end] = [begun + warmUpMs, begun + warmUpMs + milliseconds];
  let next = first;
  let countedUntil = end;
  // A slow server is waited for until it has answered once within the counted time.
  const isOver = () => performance.now() >= end && latencies.length > 0;
  const onAnswer = (milliseconds: number) => {
    const now = performance.now();
    if (now < countFrom || isOver()) return;
    latencies.push(milliseconds);
    countedUntil = Math.max(end, now);
  };
  const converse = async (index: number) => {
    const client = new Client(`http://127.0.0.1:${ports[index % ports.length]}`);
    try {
      while (!isOver()) {
        const sentAt = performance.now();
        await exchange(client, requests, next++);
        onAnswer(performance.now() - sentAt);
      }
    } finally {
      await client.destroy();
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => converse(index)));
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

type Requests = ReturnType<typeof requestsOf>;

/** Sends one request and reads its reply to the end. `dispatch` costs half of what `request` does. */
function exchange(client: Client, { path, type, body, expect }: Requests, sequence: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    client.dispatch(
      { method: 'POST', path, headers: { 'content-type': type }, body: body(sequence) },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode) => {
          status = statusCode;
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd() {
          const reply = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
          if (status === 200 && reply.includes(expect)) resolve();
          else
            reject(
              new Error(
                `Failed to measure: a call was answered with HTTP ${status} ${reply.subarray(0, 400)}`,
              ),
            );
        },
        onResponseError: (_controller, error) => reject(new Error(`Failed to measure: ${error.message}`)),
      },
    );
  });
}
