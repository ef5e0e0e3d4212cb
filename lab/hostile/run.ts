/**
 * A hostile run: for each attack, measures the caller before, during and after it, and the server's memory.
 */
import { constants, setPriority } from 'node:os';
import type { Clock } from '#protocol/time/clock.ts';
import { type Child, Children } from '../processes.ts';
import { type AttackName, attackOf, type Target } from './attacks.ts';
import type { CallerOrder } from './caller/main.ts';
import type { AttackReport, Latencies } from './callers.ts';
import { startVictim, type Victim, type VictimMemory } from './victim.ts';

export type AttackRow = {
  attack: AttackName;
  connections: number;
  report: AttackReport;
  quiet: Latencies;
  under: Latencies;
  memory: { before: VictimMemory; after: VictimMemory };
};

export type HostileOptions = {
  attacks: readonly AttackName[];
  /** Maximum number of connections of an attack. An attack that wants fewer gets fewer. */
  connections: number;
  milliseconds: number;
  rounds: number;
  clock: Clock;
  signal: AbortSignal;
  onStep: (what: string) => void;
  onRow: (row: AttackRow) => void;
};

const SETTLE_MS = 1_500;
const WARM_UP_CONNECTIONS = 16;

/** Runs all attacks. Stops every started process at the end. */
export async function runHostile(options: HostileOptions): Promise<void> {
  const children = new Children(options.signal);
  const run = new HostileRun(children, options);
  try {
    for (const party of ['ehr', 'auth'] as const) {
      const attacks = options.attacks.filter((attack) => (attackOf(attack).party ?? 'ehr') === party);
      if (attacks.length === 0) continue;
      const victim = await startVictim(children, party);
      await run.warmUp(victim);
      for (const attack of attacks) options.onRow(await run.withstand(attack, victim));
      await victim.stop();
    }
  } finally {
    children.killAll();
  }
}

class HostileRun {
  readonly #children: Children;
  readonly #options: HostileOptions;
  readonly #caller: Child;

  constructor(children: Children, options: HostileOptions) {
    this.#children = children;
    this.#options = options;
    this.#caller = this.#startCaller();
  }

  /** Warms the server up, so that code and caches loaded once are not counted as the attack's memory. */
  async warmUp({ target }: Victim): Promise<void> {
    await this.#measure(target);
    const stop = await this.#attack({ attack: 'pipelining', connections: WARM_UP_CONNECTIONS, target });
    await this.#measure(target);
    await stop();
  }

  async withstand(attack: AttackName, { target, memory }: Victim): Promise<AttackRow> {
    const { rounds, clock, onStep, signal } = this.#options;
    const connections = Math.min(this.#options.connections, attackOf(attack).connections);
    const before = await memory();
    const quiet: Latencies[] = [];
    const under: Latencies[] = [];
    let report: AttackReport = { made: 0, failed: 0, replies: {} };
    for (let round = 1; round <= rounds; round++) {
      signal.throwIfAborted();
      onStep(`${attack}, round ${round} of ${rounds}, ${connections} connections`);
      quiet.push(await this.#measure(target));
      const stop = await this.#attack({ attack, connections, target });
      under.push(await this.#measure(target));
      report = await stop();
      await new Promise<void>((resolve) => clock.after(SETTLE_MS, resolve));
    }
    quiet.push(await this.#measure(target));
    const row = { attack, connections, report, quiet: middleOf(quiet), under: middleOf(under) };
    return { ...row, memory: { before, after: await memory() } };
  }

  #startCaller(): Child {
    return this.#children.start(['--import', 'tsx', 'lab/hostile/caller/main.ts'], { seat: 'load' });
  }

  #measure(target: Target): Promise<Latencies> {
    const { milliseconds } = this.#options;
    return this.#caller.ask<Latencies>({ measure: { target, milliseconds } } satisfies CallerOrder);
  }

  /** Starts an attack, with less priority than the caller. Resolves to the function that ends it. */
  async #attack(
    order: Extract<CallerOrder, { attack: unknown }>['attack'],
  ): Promise<() => Promise<AttackReport>> {
    const attacker = this.#startCaller();
    setPriority(attacker.pid, constants.priority.PRIORITY_LOW);
    await attacker.ask({ attack: order } satisfies CallerOrder);
    return async () => {
      const report = await attacker.ask<AttackReport>('stop' satisfies CallerOrder);
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
