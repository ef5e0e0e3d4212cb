/** The situation of a demo as a whole: reset, snapshots, and the moment that a link opens again. */
import type { Moment, ScenarioState, Snapshot, State } from '../api.ts';
import type { DemoClock } from './demo-clock.ts';
import type { Faults } from './faults.ts';
import type { Player } from './scenarios/player.ts';
import type { Snapshots } from './snapshots.ts';
import type { StateWatch } from './state-watch.ts';

export type SituationParts = {
  demoClock: DemoClock;
  faults: Faults;
  player: Player;
  snapshots: Snapshots;
  stateWatch: StateWatch;
  /** Seed of the demo's population. */
  seed: number;
  /** Forgets what crossed. */
  forget: () => void;
};

export class Situation {
  readonly #parts: SituationParts;

  constructor(parts: SituationParts) {
    this.#parts = parts;
  }

  /** Empties both servers, sets the clocks right, switches all trouble off, and forgets what crossed. */
  async reset(): Promise<State> {
    const { demoClock, faults, snapshots, stateWatch, forget } = this.#parts;
    faults.disarm();
    await snapshots.clear();
    await demoClock.reset();
    forget();
    return stateWatch.read();
  }

  /** Newest first. */
  snapshots(): Snapshot[] {
    return this.#parts.snapshots.list();
  }

  takeSnapshot(name: string): Promise<Snapshot> {
    const { demoClock, faults, snapshots } = this.#parts;
    const { skewMs, movedMs } = demoClock;
    return snapshots.take(name, demoClock.now(), { skewMs, movedMs, faults: faults.byHand() });
  }

  /** Puts a snapshot back. Undefined when there is none of this id. */
  async restore(id: number): Promise<State | undefined> {
    const { demoClock, snapshots, stateWatch, forget } = this.#parts;
    const kept = await snapshots.restore(id);
    if (!kept) return undefined;
    await demoClock.reset();
    await demoClock.advance(kept.at - demoClock.now());
    await this.#setTrouble(kept);
    demoClock.movedMs = kept.movedMs;
    forget();
    return stateWatch.read();
  }

  /** What a link needs to open this situation again. */
  moment(): Moment {
    const { demoClock, faults, player, seed } = this.#parts;
    const { skewMs, movedMs } = demoClock;
    const { id, step } = player.state;
    return { version: 1, seed, scenario: id, step, movedMs, skewMs, faults: faults.byHand() };
  }

  /** Opens the situation of a link. */
  async open({ scenario, step, movedMs, skewMs, faults }: Moment): Promise<ScenarioState> {
    const { demoClock, player, stateWatch } = this.#parts;
    await player.takeOver();
    if (scenario === null) await this.reset();
    else await player.step(scenario, step);
    if (movedMs !== 0) await demoClock.move({ advanceMs: movedMs });
    await this.#setTrouble({ skewMs, faults });
    await stateWatch.read();
    return player.state;
  }

  async #setTrouble({ skewMs, faults }: Pick<Moment, 'skewMs' | 'faults'>): Promise<void> {
    const { demoClock, faults: armed } = this.#parts;
    for (const party of ['client', 'auth', 'ehr'] as const) await demoClock.move({ party, skewMs: skewMs[party] });
    armed.disarm();
    for (const fault of faults) armed.arm(fault);
  }
}
