/**
 * The EHR processes under torture. The fleet starts, kills and restarts them; the load picks one at random.
 */
import type { ChildProcess } from 'node:child_process';
import { Pool } from 'undici';
import type { Draw } from '#mis-fixtures/draw.ts';
import { type Clock, deadline } from '#protocol/time/clock.ts';
import { killParty, launchParty } from '#testing/programs/processes.ts';

export type Member = {
  /** Such as `ehr-2#5`: the fifth start of the second process. */
  name: string;
  pool: Pool;
  endpoint: string;
  url: string;
};

type Seat = { index: number; starts: number; child?: ChildProcess | undefined; member?: Member | undefined };

export type FleetParts = { size: number; env: Readonly<Record<string, string>>; clock: Clock };

const LAUNCH_TIMEOUT_MS = 60_000;
/** A call that is not answered within this time (ms) counts as unknown. */
const CALL_TIMEOUT_MS = 30_000;
const CONNECTIONS_PER_PROCESS = 32;
const MAX_LOG_LINES = 200;

export class Fleet {
  readonly #parts: FleetParts;
  readonly #seats: Seat[];
  /** The newest lines that the processes logged. They log errors only. */
  readonly logs: string[] = [];
  readonly #stopping = new AbortController();
  #waiting: (() => void)[] = [];

  constructor(parts: FleetParts) {
    this.#parts = parts;
    this.#seats = Array.from({ length: parts.size }, (_, index) => ({ index: index + 1, starts: 0 }));
  }

  async start(): Promise<void> {
    await Promise.all(this.#seats.map((seat) => this.#launch(seat)));
  }

  /** The running processes. */
  get members(): Member[] {
    return this.#seats.flatMap(({ member }) => member ?? []);
  }

  /** Picks a running process at random. When none is running, waits for one. */
  async pick(rng: Draw): Promise<Member> {
    for (;;) {
      const { members } = this;
      if (members.length > 0) return rng.pick(members);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Kills a process with SIGKILL. Once it has ended, resolves to the function that starts it again. */
  async kill(member: Member): Promise<() => Promise<void>> {
    const seat = this.#seats.find((other) => other.member === member);
    if (!seat) return () => Promise.resolve();
    await this.#end(seat, 'SIGKILL');
    return () => this.#launch(seat);
  }

  /** Breaks every connection of the client to this process. */
  async cut(member: Member): Promise<void> {
    const broken = member.pool;
    member.pool = poolOf(member.url);
    await broken.destroy(new Error('cut'));
  }

  /** Tells whether every running process reports that it is ready. */
  async isReady(): Promise<boolean> {
    const ready = this.members.map(async (member) => {
      try {
        const { statusCode, body } = await member.pool.request({ path: '/readyz', method: 'GET' });
        await body.dump();
        return statusCode === 200;
      } catch {
        // The process was killed meanwhile. A process that does not run need not be ready.
        return !this.members.includes(member);
      }
    });
    return (await Promise.all(ready)).every(Boolean);
  }

  /** Stops all processes for good. On SIGTERM they finish the calls in progress. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#stopping.abort(new Error('The run is over.'));
    await Promise.all(this.#seats.map((seat) => this.#end(seat, signal)));
  }

  async #launch(seat: Seat): Promise<void> {
    const { env, clock } = this.#parts;
    const late = new Error(`An EHR process was not ready within ${LAUNCH_TIMEOUT_MS / 1000} s.`);
    const limit = deadline(clock, LAUNCH_TIMEOUT_MS, late);
    const signal = AbortSignal.any([limit.signal, this.#stopping.signal]);
    try {
      const { child, urls } = await launchParty('ehr-server/main.ts', env, { signal });
      const [url] = urls as [string];
      const name = `ehr-${seat.index}#${++seat.starts}`;
      // Keeps reading: a process that logs much would otherwise block on a full pipe.
      child.stdout?.on('data', (text: Buffer) => this.#keepLog(name, text)).resume();
      seat.child = child;
      seat.member = { name, url, pool: poolOf(url), endpoint: '/1.0-alpha/' };
    } finally {
      limit.cancel();
    }
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #keepLog(name: string, text: Buffer): void {
    for (const line of String(text).split('\n')) if (line !== '') this.logs.push(`${name} ${line}`);
    if (this.logs.length > MAX_LOG_LINES) this.logs.splice(0, this.logs.length - MAX_LOG_LINES);
  }

  async #end(seat: Seat, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { child, member } = seat;
    seat.member = undefined;
    seat.child = undefined;
    await killParty(child, signal);
    await member?.pool.destroy(new Error('ended'));
  }
}

export function poolOf(url: string): Pool {
  const [connections, time] = [CONNECTIONS_PER_PROCESS, CALL_TIMEOUT_MS];
  return new Pool(url, { connections, headersTimeout: time, bodyTimeout: time, connectTimeout: time });
}
