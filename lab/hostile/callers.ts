/** The callers of a run: the attacker, and the caller whose latency is measured. */
import { connect, type Socket } from 'node:net';
import { Client } from 'undici';
import type { Clock } from '#protocol/time/clock.ts';
import { COSTLY_SHAPES, costlyBody } from '../costly-bodies.ts';
import { type AttackName, attackOf, type Target } from './attacks.ts';

export type AttackOrder = { attack: AttackName; connections: number; target: Target };

/** Connections that were opened, and that could not be; and the replies by HTTP status. */
export type AttackReport = { made: number; failed: number; replies: Record<string, number> };

/** Connections opened at a time: the queue of a listener takes no more. */
const MAX_CONCURRENT_CONNECTS = 200;

export class Attacker {
  readonly report: AttackReport = { made: 0, failed: 0, replies: {} };
  /** Settles when every connection has been tried. */
  readonly standing: Promise<void>;
  readonly #order: AttackOrder;
  readonly #clock: Clock;
  readonly #sockets = new Set<Socket>();
  #isStopped = false;
  #bodies: readonly string[] | undefined;

  constructor(order: AttackOrder, clock: Clock) {
    this.#order = order;
    this.#clock = clock;
    this.standing = this.#openAll();
  }

  stop(): AttackReport {
    this.#isStopped = true;
    for (const socket of this.#sockets) socket.destroy();
    return this.report;
  }

  async #openAll(): Promise<void> {
    for (let left = this.#order.connections; left > 0 && !this.#isStopped; left -= MAX_CONCURRENT_CONNECTS) {
      const count = Math.min(MAX_CONCURRENT_CONNECTS, left);
      await Promise.all(Array.from({ length: count }, () => this.#open()));
    }
  }

  #open(): Promise<void> {
    const { attack: name, target } = this.#order;
    const attack = attackOf(name);
    return new Promise((resolve) => {
      if (this.#isStopped) {
        resolve();
        return;
      }
      // From another address than the caller, where the system has one: rate limits are per address.
      const from = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};
      const socket = connect({
        host: '127.0.0.1',
        port: target.port,
        allowHalfOpen: true,
        noDelay: true,
        ...from,
      });
      socket.on('connect', () => {
        this.#sockets.add(socket);
        const [clock, number] = [this.#clock, this.report.made++];
        attack.behave(socket, target, { clock, number, bodies: () => this.#costlyBodies() });
        resolve();
      });
      socket.on('error', () => {
        this.report.failed++;
        resolve();
      });
      if (!attack.isDeaf) socket.on('data', (chunk: Buffer) => this.#count(chunk));
      socket.on('end', () => socket.end());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        if (attack.isRenewed && !this.#isStopped) setImmediate(() => void this.#open());
      });
    });
  }

  /** Builds the bodies once: that takes longer than to send them. */
  #costlyBodies(): readonly string[] {
    const { call, bodyLimit } = this.#order.target;
    this.#bodies ??= COSTLY_SHAPES.map((shape) => costlyBody(shape, JSON.parse(call), bodyLimit));
    return this.#bodies;
  }

  #count(chunk: Buffer): void {
    const { replies } = this.report;
    for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g))
      replies[status] = (replies[status] ?? 0) + 1;
  }
}

export type CallerOrder = { target: Target; milliseconds: number; connections: number };

/** Latencies in milliseconds. */
export type Latencies = { calls: number; failed: number; p50: number; p99: number; max: number };

/** Pause (ms) between two calls of one connection. It keeps all of them below the limit of an address. */
const CALL_INTERVAL_MS = 30;
/** A connection is reopened after this many calls, as a new caller would do. */
const CALLS_PER_CONNECTION = 20;

/** Calls at an even rate over a few connections. The time to connect belongs to a call. */
export async function measure(order: CallerOrder, clock: Clock, stopwatch: () => number): Promise<Latencies> {
  const { target, milliseconds, connections } = order;
  const until = stopwatch() + milliseconds;
  const times: number[] = [];
  let failed = 0;
  const headers = { 'content-type': 'application/json' };
  const converse = async () => {
    let client: Client | undefined;
    for (let calls = 0; stopwatch() < until; calls++) {
      const start = stopwatch();
      if (calls % CALLS_PER_CONNECTION === 0) {
        await client?.destroy();
        client = undefined;
      }
      client ??= new Client(`http://127.0.0.1:${target.port}`);
      try {
        const { body } = await client.request({
          method: 'POST',
          path: target.path,
          headers,
          body: target.call,
        });
        if (!(await body.text()).includes(target.answer)) throw new Error('The call was refused.');
        times.push(stopwatch() - start);
      } catch {
        failed++;
        await client.destroy();
        client = undefined;
      }
      await new Promise<void>((resolve) => clock.after(CALL_INTERVAL_MS, resolve));
    }
    await client?.destroy();
  };
  await Promise.all(Array.from({ length: connections }, converse));
  return { failed, ...latenciesOf(times) };
}

/** Returns the median, the 99th percentile and the maximum. */
export function latenciesOf(times: readonly number[]): Omit<Latencies, 'failed'> {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return { calls: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
