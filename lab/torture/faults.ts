/**
 * The faults of a run. The seed fixes which faults occur, after how many calls; this file also brings them
 * about.
 */
import type { Draw } from '#mis-fixtures/draw.ts';
import type { Clock } from '#protocol/time/clock.ts';
import type { FaultWindow } from './check/judge.ts';
import type { Fleet } from './world/fleet.ts';
import { type RestartKind, restartKinds, type TortureWorld } from './world/world.ts';

export type FaultKind = 'kill' | `restart-${RestartKind}` | (typeof cutKinds)[number];
/** Due when so many calls are done, and then so many milliseconds later. */
export type PlannedFault = { kind: FaultKind; at: number; delay: number };

export type FaultPlan = {
  kills: number;
  databaseRestarts: number;
  cuts: number;
  operations: number;
  hasServer: boolean;
};

const cutKinds = ['cut-clients', 'cut-backends', 'cut-wire'] as const;
const MAX_DELAY_MS = 20;
const RECOVERY_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 25;

/** Plans the faults in the order in which they are due, spread over the calls of the run. */
export function planFaults(plan: FaultPlan, rng: Draw): PlannedFault[] {
  const { kills, databaseRestarts, cuts, operations, hasServer } = plan;
  const inTurn = (count: number, kinds: readonly FaultKind[]) =>
    Array.from({ length: count }, (_, index) => kinds[index % kinds.length] as FaultKind);
  const left = [
    ...inTurn(kills, ['kill']),
    ...inTurn(
      databaseRestarts,
      restartKinds.map((kind): FaultKind => `restart-${kind}`),
    ),
    ...inTurn(cuts, hasServer ? cutKinds : ['cut-clients']),
  ];
  const spacing = operations / (left.length + 1);
  return Array.from({ length: left.length }, (_, index) => {
    const [kind] = left.splice(rng.below(left.length), 1) as [FaultKind];
    const at = Math.round((index + 0.4 + rng.below(1000) / 1000) * spacing);
    return { kind, at, delay: rng.below(MAX_DELAY_MS) };
  });
}

export type FaultParts = { fleet: Fleet; world: TortureWorld; clock: Clock; rng: Draw };

export class Faults {
  /** The times of the faults so far. */
  readonly windows: FaultWindow[] = [];
  readonly counts: Record<string, number> = {};
  readonly #parts: FaultParts;
  readonly #repairs: Promise<void>[] = [];
  #database: Promise<void> = Promise.resolve();
  #fail: (error: unknown) => void = () => undefined;
  /** Rejects when something could not be repaired. */
  readonly failed = new Promise<never>((_resolve, reject) => {
    this.#fail = reject;
  });

  constructor(parts: FaultParts) {
    this.#parts = parts;
    // The run awaits this promise. Until then its rejection must not count as unhandled.
    this.failed.catch(() => undefined);
  }

  /** Settles when everything is repaired. Rejects when a repair failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#repairs);
  }

  /** Settles when the database answers again. */
  async databaseSettled(): Promise<void> {
    await this.#database;
  }

  /**
   * Settles when the fault has occurred. Its repair goes on, so that the next fault may occur before it ends.
   */
  async strike({ kind, delay }: PlannedFault): Promise<void> {
    await this.#wait(delay);
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    if (kind === 'kill' || kind === 'cut-clients') return this.#breakProcess(kind);
    // The database suffers one fault at a time.
    await this.#database;
    this.#database = this.#breakDatabase(kind);
    this.#repair(this.#database);
  }

  async #breakProcess(kind: 'kill' | 'cut-clients'): Promise<void> {
    const { fleet, rng, clock } = this.#parts;
    const member = await fleet.pick(rng);
    const window = this.#open(kind, member.name);
    if (kind === 'kill') this.#repair(this.#startAgain(await fleet.kill(member)));
    else await fleet.cut(member);
    window.until = clock.now();
  }

  /**
   * Starts a process again. It rightly gives up when the database is away at its start, and is then started
   * once more.
   */
  async #startAgain(start: () => Promise<void>): Promise<void> {
    for (;;) {
      const outage = this.#database;
      await outage;
      try {
        return await start();
      } catch (error) {
        if (this.#database === outage) throw error;
      }
    }
  }

  async #breakDatabase(kind: FaultKind): Promise<void> {
    const { server } = this.#parts.world;
    if (!server) throw new Error(`There is no database server to ${kind}.`);
    const window = this.#open(kind);
    if (kind === 'cut-backends') await server.cutBackends(this.#parts.rng);
    else if (kind === 'cut-wire') server.cutWire();
    else await server.restart(kind.slice('restart-'.length) as RestartKind);
    await this.#recovered();
    window.until = this.#parts.clock.now();
  }

  /** Waits until every running process reports that it is ready. */
  async #recovered(): Promise<void> {
    const { fleet, clock } = this.#parts;
    const until = clock.now() + RECOVERY_TIMEOUT_MS;
    while (!(await fleet.isReady())) {
      if (clock.now() > until)
        throw new Error(
          `The EHR processes were not ready ${RECOVERY_TIMEOUT_MS / 1000} s after the database returned.`,
        );
      await this.#wait(POLL_INTERVAL_MS);
    }
  }

  #open(kind: FaultKind, process?: string): FaultWindow {
    const times = { from: this.#parts.clock.now(), until: Number.POSITIVE_INFINITY };
    const window = { kind, ...(process !== undefined && { process }), ...times };
    this.windows.push(window);
    return window;
  }

  #repair(work: Promise<void>): void {
    this.#repairs.push(work);
    work.catch(this.#fail);
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#parts.clock.after(ms, resolve));
  }
}
