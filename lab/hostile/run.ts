/**
 * A hostile run: for each attack, measures the caller before, during and after it, and the server's memory.
 */
import { constants, setPriority } from 'node:os';
import type { Clock } from '#protocol/time/clock.ts';
import { type Child, Children } from '../processes.ts';
import { type AttackName, attackOf, type Target } from './attacks.ts';
import type { Order } from './caller/main.ts';
import type { AttackReport, Latencies } from './callers.ts';
import { type Memory, residentOf, startVictim, type Victim } from './victim.ts';

export type AttackRow = {
  attack: AttackName;
  rateLimit: 'on' | 'off';
  connections: number;
  report: AttackReport;
  quiet: Latencies;
  under: Latencies;
  /** The latency under attack divided by that in quiet, of the percentile that judges the attack. */
  ratio: number;
  memory: { before: Memory; peak: number; after: Memory };
  /** The limits that were broken, one sentence each. */
  broken: string[];
};

export type RunOptions = {
  attacks: readonly AttackName[];
  /** Rate limits of the server: `on`, the default, or `off`. */
  rateLimit: 'on' | 'off';
  /** Maximum number of connections of an attack. An attack that wants fewer gets fewer. */
  connections: number;
  milliseconds: number;
  rounds: number;
  clock: Clock;
  signal: AbortSignal;
  onStep: (what: string) => void;
  onRow: (row: AttackRow) => void;
};

/** Where bodies are dear to parse, the middle latency of others may grow to this many times that in quiet. */
const MAX_RATIO = 3;
/** Under other attacks, p99 of others. To hold it lower is the part of a proxy in front (decision 53). */
const MAX_P99_MS = 1_000;
/** Latencies in quiet (ms) are taken to be at least this: below, clock resolution and scheduling dominate. */
const MIN_QUIET_MS = { p50: 0.2, p99: 2 } as const;
/**
 * Memory in bytes that may remain after an attack. The allocator returns resident memory late, so its limit
 * is higher.
 */
const MAX_REMAINING_BYTES: Memory = { used: 16 * 2 ** 20, resident: 128 * 2 ** 20 };
const CALLER_COUNT = 4;
const SETTLE_MS = 1_500;
const SAMPLE_INTERVAL_MS = 200;

/** Runs all attacks. Stops every started process at the end. */
export async function runHostile(options: RunOptions): Promise<AttackRow[]> {
  const children = new Children(options.signal);
  const run = new HostileRun(children, options);
  try {
    const rows: AttackRow[] = [];
    for (const party of ['ehr', 'auth'] as const) {
      const attacks = options.attacks.filter((attack) => (attackOf(attack).party ?? 'ehr') === party);
      if (attacks.length === 0) continue;
      const victim = await startVictim(children, party, options.rateLimit);
      await run.warmUp(victim);
      for (const attack of attacks) {
        const row = await run.withstand(attack, victim);
        rows.push(row);
        options.onRow(row);
      }
      await victim.stop();
    }
    return rows;
  } finally {
    children.killAll();
  }
}

class HostileRun {
  readonly #children: Children;
  readonly #options: RunOptions;
  readonly #caller: Child;

  constructor(children: Children, options: RunOptions) {
    this.#children = children;
    this.#options = options;
    this.#caller = this.#startCaller();
  }

  /** Warms the server up, so that code and caches loaded once are not counted as the attack's memory. */
  async warmUp({ target }: Victim): Promise<void> {
    await this.#look(target);
    const stop = await this.#attack('pipelining', 16, target);
    await this.#look(target);
    await stop();
  }

  async withstand(attack: AttackName, { target, memory, pid }: Victim): Promise<AttackRow> {
    const { rounds, rateLimit, clock, onStep, signal } = this.#options;
    const connections = Math.min(this.#options.connections, attackOf(attack).connections);
    const pause = (time: number) => new Promise<void>((resolve) => clock.after(time, resolve));
    const before = await memory();
    const quiet: Latencies[] = [];
    const under: Latencies[] = [];
    let peak = before.resident;
    let report: AttackReport = { made: 0, failed: 0, replies: {} };
    for (let round = 1; round <= rounds; round++) {
      signal.throwIfAborted();
      onStep(`${attack}, round ${round} of ${rounds}: quiet`);
      quiet.push(await this.#look(target));
      onStep(`${attack}, round ${round} of ${rounds}: ${connections} connections`);
      const stop = await this.#attack(attack, connections, target);
      let isOver = false;
      const sampling = (async () => {
        for (; !isOver; await pause(SAMPLE_INTERVAL_MS)) peak = Math.max(peak, residentOf(pid));
      })();
      under.push(await this.#look(target));
      isOver = true;
      await sampling;
      report = await stop();
      await pause(SETTLE_MS);
    }
    quiet.push(await this.#look(target));
    const row = { attack, rateLimit, connections, report, quiet: middleOf(quiet), under: middleOf(under) };
    const judgedBy = attackOf(attack).judgedBy ?? 'p99';
    const ratio = row.under[judgedBy] / Math.max(MIN_QUIET_MS[judgedBy], row.quiet[judgedBy]);
    const judged = { ...row, ratio, memory: { before, peak, after: await memory() } };
    return { ...judged, broken: brokenBy(judged) };
  }

  #startCaller(): Child {
    return this.#children.start(['--import', 'tsx', 'lab/hostile/caller/main.ts'], { seat: 'load' });
  }

  #look(target: Target): Promise<Latencies> {
    const { milliseconds } = this.#options;
    const order: Order = { measure: { target, milliseconds, connections: CALLER_COUNT } };
    return this.#caller.ask<Latencies>(order);
  }

  /** Starts an attack, with less priority than the caller. Resolves to the function that ends it. */
  async #attack(
    attack: AttackName,
    connections: number,
    target: Target,
  ): Promise<() => Promise<AttackReport>> {
    const attacker = this.#startCaller();
    setPriority(attacker.pid, constants.priority.PRIORITY_LOW);
    const order: Order = { attack: { attack, connections, target } };
    await attacker.ask(order);
    return async () => {
      const report = await attacker.ask<AttackReport>('stop' satisfies Order);
      await attacker.end();
      return report;
    };
  }
}

/** Returns the round with the median p99, with the failures of all rounds. */
function middleOf(rounds: readonly Latencies[]): Latencies {
  const sorted = rounds.toSorted((a, b) => a.p99 - b.p99);
  const failed = rounds.reduce((sum, round) => sum + round.failed, 0);
  return { ...(sorted[Math.floor((sorted.length - 1) / 2)] as Latencies), failed };
}

/** Lists the limits that a row breaks. NaN means that nothing was measured, which breaks them too. */
export function brokenBy(row: Omit<AttackRow, 'broken' | 'rateLimit'>): string[] {
  const { attack, quiet, under, ratio, report, connections, memory } = row;
  const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  const found: string[] = [];
  const hold = (holds: boolean, otherwise: string) => void (holds || found.push(otherwise));
  if (attackOf(attack).judgedBy === 'p50')
    hold(ratio <= MAX_RATIO, `p50 is ${ratio.toFixed(1)} times that of quiet, and not at most ${MAX_RATIO}.`);
  else hold(under.p99 <= MAX_P99_MS, `p99 is ${under.p99.toFixed(0)} ms, and not at most ${MAX_P99_MS}.`);
  hold(under.failed === 0, `${under.failed} calls of others failed.`);
  hold(quiet.failed === 0, `${quiet.failed} calls of others failed between the attacks.`);
  hold(report.made >= connections, `only ${report.made} of ${connections} connections could be made.`);
  for (const [name, what] of [
    ['used', 'in use'],
    ['resident', 'resident'],
  ] as const) {
    const left = memory.after[name] - memory.before[name];
    const most = MAX_REMAINING_BYTES[name];
    hold(left <= most, `${mebibytes(left)} MiB stayed ${what}, and not at most ${mebibytes(most)}.`);
  }
  return found;
}
