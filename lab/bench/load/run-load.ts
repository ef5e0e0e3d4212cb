/** One slice of load: runs connections for a given time and returns the figures. */
import { percentile } from '../statistics.ts';
import { converse } from './connection.ts';
import type { LoadJob, LoadResult } from './messages.ts';
import { requestsOf } from './requests.ts';

/**
 * Keeps one request pending on each connection until the time is over and at least one was answered.
 * @throws Error with the first reply that is not a success: a figure made of errors would be misleading
 */
export async function runLoad({
  ports,
  connections,
  warmUpMs,
  milliseconds,
  plan,
  first,
}: LoadJob): Promise<LoadResult> {
  const { make, expect } = requestsOf(plan);
  const latencies = new Latencies();
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  const countFrom = begun + warmUpMs;
  const end = countFrom + milliseconds;
  let sequence = first;
  let answeredAll = 0;
  let countedUntil = end;
  const isOver = (now: number) => now >= end && latencies.count > 0;
  const conversation = {
    expect,
    next: () => (isOver(performance.now()) ? undefined : make(sequence++)),
    onAnswer(latency: number) {
      answeredAll++;
      const now = performance.now();
      if (now < countFrom || isOver(now)) return;
      latencies.add(latency);
      countedUntil = Math.max(end, now);
    },
  };
  await Promise.all(
    Array.from({ length: connections }, (_, index) => converse(ports[index % ports.length] as number, conversation)),
  );
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    requests: latencies.count,
    answered: answeredAll,
    milliseconds: countedUntil - countFrom,
    latency: latencies.summary(),
    busy: (user + system) / 1_000 / (performance.now() - begun),
    next: sequence,
  };
}

/** Keeps every latency of a slice, so that percentiles are exact. */
class Latencies {
  #values = new Float32Array(1 << 16);
  count = 0;

  add(milliseconds: number): void {
    if (this.count === this.#values.length) {
      const larger = new Float32Array(this.count * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.count++] = milliseconds;
  }

  summary(): LoadResult['latency'] {
    const values = this.#values.subarray(0, this.count);
    return { p50: percentile(values, 0.5), p99: percentile(values, 0.99), max: percentile(values, 1) };
  }
}
