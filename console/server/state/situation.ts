/** The situation of a demo as a whole: reset, snapshots, and the moment that a link opens again. */
import type { Moment, Reset, ScenarioState, Snapshot, State } from '../../api.ts';
import type { DemoClock } from '../demo-clock.ts';
import type { Phone } from '../phone.ts';
import type { Player } from '../scenarios/player.ts';
import type { Faults } from '../wires/faults.ts';
import type { Snapshots } from './snapshots.ts';
import type { StateWatch } from './state-watch.ts';

export type SituationParts = {
  demoClock: DemoClock;
  faults: Faults;
  phone: Phone;
  player: Player;
  snapshots: Snapshots;
  stateWatch: StateWatch;
  /** Seed of the demo's population. */
  seed: number;
  /** Forgets what crossed. */
  forget: (reset: Reset) => void;
};

export class Situation {
  readonly #parts: SituationParts;

  constructor(parts: SituationParts) {
    this.#parts = parts;
  }

  /** Empties both servers, sets the clocks right, switches all trouble off, and forgets what crossed. */
  async reset(): Promise<State> {
    const { demoClock, faults, player, snapshots, stateWatch, forget } = this.#parts;
    player.forgetSteps();
    faults.disarmAll();
    await snapshots.clear();
    await demoClock.reset();
    forget({ isEmptied: true });
    return stateWatch.read();
  }

  /** Newest first. */
  snapshots(): Snapshot[] {
    return this.#parts.snapshots.list();
  }

  /** A scenario that is playing is paused first: amid a step there is nothing to come back to. */
  async takeSnapshot(name: string): Promise<Snapshot> {
    const { demoClock, faults, phone, player, snapshots } = this.#parts;
    await player.pause();
    const { skewMs, movedMs } = demoClock;
    return snapshots.take(name, demoClock.now(), {
      skewMs,
      movedMs,
      faults: faults.byHand(),
      faultsOfScenario: faults.ofScenario(),
      textTrouble: phone.trouble,
      played: player.keep(),
    });
  }

  /**
   * Deletes a snapshot. Returns those that are left.
   * @throws NotFound when there is none of this id
   */
  deleteSnapshot(id: number): Promise<Snapshot[]> {
    return this.#parts.snapshots.delete(id);
  }

  /**
   * Puts a snapshot back.
   * @throws NotFound when there is none of this id
   */
  async restore(id: number): Promise<State> {
    const { demoClock, faults, player, snapshots, stateWatch, forget } = this.#parts;
    await player.pause();
    const kept = await snapshots.restore(id);
    await demoClock.reset();
    await demoClock.advance(kept.at - demoClock.now());
    demoClock.movedMs = kept.movedMs;
    forget({ isEmptied: false });
    faults.disarmAll();
    for (const fault of kept.faultsOfScenario) faults.arm(fault, true);
    await this.#setTrouble(kept);
    player.putBack(kept.played);
    return stateWatch.read();
  }

  /** What a link needs to open this situation again, but for what was done by hand. */
  moment(): Moment {
    const { demoClock, faults, phone, player, seed } = this.#parts;
    const { skewMs, movedMs } = demoClock;
    const { id, step } = player.stepsMade;
    const { trouble } = phone;
    const texts = trouble.kind === 'none' ? {} : { textTrouble: trouble };
    return { version: 1, seed, scenario: id, step, movedMs, skewMs, faults: faults.byHand(), ...texts };
  }

  /** Opens the situation of a link. */
  async open({ scenario, step, movedMs, ...trouble }: Moment): Promise<ScenarioState> {
    const { demoClock, player, stateWatch } = this.#parts;
    await player.takeOver();
    if (scenario === null) await this.reset();
    else await player.step(scenario, step);
    if (movedMs !== 0) await demoClock.move({ advanceMs: movedMs });
    await this.#setTrouble(trouble);
    await stateWatch.read();
    return player.state;
  }

  /** Makes the trouble that was made by hand, beside that of the scenario's own steps. */
  async #setTrouble(trouble: Pick<Moment, 'skewMs' | 'faults' | 'textTrouble'>): Promise<void> {
    const { demoClock, faults, phone } = this.#parts;
    for (const party of ['client', 'auth', 'ehr'] as const)
      await demoClock.move({ party, skewMs: trouble.skewMs[party] });
    for (const fault of trouble.faults) faults.arm(fault);
    if (trouble.textTrouble) phone.setTrouble(trouble.textTrouble);
  }
}
