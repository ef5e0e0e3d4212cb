/** The caller whose latency is measured: a few connections at an even rate, reopened now and then. */
import { connect, type Socket } from 'node:net';
import type { Clock } from '#protocol/time/clock.ts';
import type { CallerOrder, Latencies, Target } from '../messages.ts';

/** Pause (ms) between two calls of one connection. It keeps all of them below the limit of an address. */
const CALL_INTERVAL_MS = 30;
/** A connection is reopened after this many calls, as a new caller would do. */
const CALLS_PER_CONNECTION = 20;

export async function measure(order: CallerOrder, clock: Clock, stopwatch: () => number): Promise<Latencies> {
  const until = stopwatch() + order.milliseconds;
  const times: number[] = [];
  let failed = 0;
  const converse = async () => {
    let socket: Socket | undefined;
    for (let calls = 0; stopwatch() < until; calls++) {
      const start = stopwatch();
      try {
        // The time to connect belongs to the call.
        if (!socket || calls % CALLS_PER_CONNECTION === 0) {
          socket?.destroy();
          socket = await open(order.target.port);
        }
        await callOver(socket, order.target);
        times.push(stopwatch() - start);
      } catch {
        failed++;
        socket?.destroy();
        socket = undefined;
      }
      await new Promise<void>((resolve) => clock.after(CALL_INTERVAL_MS, resolve));
    }
    socket?.destroy();
  };
  await Promise.all(Array.from({ length: order.connections }, converse));
  return { failed, ...latenciesOf(times) };
}

/** Returns the median, the 99th percentile and the maximum. */
export function latenciesOf(times: readonly number[]): Omit<Latencies, 'failed'> {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return { calls: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });
}

/** Sends one call. Any reply but the expected one is a failure. */
function callOver(socket: Socket, { path, call, answer }: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = '';
    const done = (error?: Error) => {
      socket.off('data', take).off('error', done).off('close', closed);
      if (error) reject(error);
      else resolve();
    };
    const closed = () => done(new Error('The connection was closed.'));
    const take = (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN);
      if (end === -1 || received.length < end + 4 + length) return;
      done(received.includes(answer) ? undefined : new Error('The call was refused.'));
    };
    socket.on('data', take).on('error', done).on('close', closed);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(call)}\r\n\r\n${call}`,
    );
  });
}
