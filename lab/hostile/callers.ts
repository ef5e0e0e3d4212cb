/** The callers of a run: the attacker, and the caller whose latency is measured. */
import { connect, type Socket } from 'node:net';
import { Client } from 'undici';
import type { Clock } from '#protocol/time/clock.ts';
import { COSTLY_SHAPES, costlyBody } from '../costly-bodies.ts';
import { percentile } from '../statistics.ts';
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
    // From another address than the caller, where the system has one: rate limits are per address.
    const from = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};
    return new Promise((resolve) => {
      if (this.#isStopped) return resolve();
      const to = { host: '127.0.0.1', port: target.port, ...from };
      const socket = connect({ ...to, allowHalfOpen: true, noDelay: true });
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

export type MeasureOrder = { target: Target; milliseconds: number };

/** Latencies in milliseconds: NaN where no call succeeded. */
export type Latencies = { calls: number; failed: number; p50: number; p99: number };

const CONNECTION_COUNT = 4;
/** Pause (ms) between two calls of one connection. It keeps all of them below the limit of an address. */
const CALL_INTERVAL_MS = 30;
/** A connection is reopened after this many calls, as a new caller would do. */
const CALLS_PER_CONNECTION = 20;

/** Calls at an even rate over a few connections. The time to connect belongs to a call. */
export async function measure(
  order: MeasureOrder,
  clock: Clock,
  stopwatch: () => number,
): Promise<Latencies> {
  const until = stopwatch() + order.milliseconds;
  const times: number[] = [];
  let failed = 0;
  const isAnswered = async (client: Client) => {
    const begun = stopwatch();
    const answered = await callOnce(client, order.target);
    if (answered) times.push(stopwatch() - begun);
    else failed++;
    await new Promise<void>((resolve) => clock.after(CALL_INTERVAL_MS, resolve));
    return answered;
  };
  const converse = async () => {
    while (stopwatch() < until) {
      const client = new Client(`http://127.0.0.1:${order.target.port}`);
      let left = CALLS_PER_CONNECTION;
      while (left > 0 && stopwatch() < until) left = (await isAnswered(client)) ? left - 1 : 0;
      await client.destroy();
    }
  };
  await Promise.all(Array.from({ length: CONNECTION_COUNT }, converse));
  const of = (share: number) => (times.length === 0 ? Number.NaN : percentile(times, share));
  return { calls: times.length, failed, p50: of(0.5), p99: of(0.99) };
}

/** Tells whether the call is answered as it must be. */
async function callOnce(client: Client, { path, call, answer }: Target): Promise<boolean> {
  try {
    const headers = { 'content-type': 'application/json' };
    const { body } = await client.request({ method: 'POST', path, headers, body: call });
    return (await body.text()).includes(answer);
  } catch {
    return false;
  }
}
