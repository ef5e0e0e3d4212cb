/**
 * The situation of a demo as a whole: reset, the moment that a link opens again, and snapshots, of which both
 * servers keep the rows themselves.
 */
import type {
  ArmFault,
  Moment,
  Reset,
  ScenarioState,
  Skews,
  Snapshot,
  State,
  TextTrouble,
} from '../../api.ts';
import type { ControlPort } from '../control-port.ts';
import type { DemoClock } from '../demo-clock.ts';
import type { Phone } from '../phone.ts';
import { NotFound, NotPossible } from '../refused.ts';
import type { Played, Player } from '../scenarios/player.ts';
import type { Faults } from '../wires/faults.ts';
import type { StateWatch } from './state-watch.ts';

type SituationParts = {
  demoClock: DemoClock;
  faults: Faults;
  phone: Phone;
  player: Player;
  ports: { ehr: ControlPort; auth: ControlPort };
  stateWatch: StateWatch;
  /** Seed of the demo's population. */
  seed: number;
  /** Forgets what crossed. */
  forget: (reset: Reset) => void;
};

/** A snapshot with its ids at the servers, and what is kept here beside their rows. */
type Kept = Snapshot & {
  ids: { ehr: number; auth: number };
  movedMs: number;
  skewMs: Skews;
  /** Armed by hand. */
  faults: ArmFault[];
  /** Armed by steps of the scenario. */
  faultsOfScenario: ArmFault[];
  textTrouble: TextTrouble;
  played: Played;
};

/** The servers keep them in memory. */
const MAX_SNAPSHOTS = 50;

export class Situation {
  readonly #parts: SituationParts;
  #kept: readonly Kept[] = [];
  #taken = 0;

  constructor(parts: SituationParts) {
    this.#parts = parts;
  }

  /** Empties both servers, sets the clocks right, switches all trouble off, and forgets what crossed. */
  async reset(): Promise<State> {
    const { demoClock, faults, player, ports, stateWatch, forget } = this.#parts;
    player.forgetSteps();
    faults.disarmAll();
    await Promise.all([ports.ehr.post('/clear'), ports.auth.post('/clear')]);
    await demoClock.reset();
    forget({ isEmptied: true });
    return stateWatch.read();
  }

  /** Newest first. */
  snapshots(): Snapshot[] {
    return this.#kept.map(({ id, name, at }) => ({ id, name, at }));
  }

  /** A scenario that is playing is paused first: amid a step there is nothing to come back to. */
  async takeSnapshot(name: string): Promise<Snapshot> {
    const { demoClock, faults, phone, player, ports } = this.#parts;
    await player.pause();
    if (this.#kept.length >= MAX_SNAPSHOTS)
      throw new NotPossible(`The demo keeps ${MAX_SNAPSHOTS} snapshots. Please delete one first.`);
    const { skewMs, movedMs } = demoClock;
    const circumstances = {
      ...{ skewMs, movedMs, textTrouble: phone.trouble, played: player.keep() },
      faults: faults.left({ isOfScenario: false }),
      faultsOfScenario: faults.left({ isOfScenario: true }),
    };
    const at = demoClock.now();
    const [ehr, auth] = await Promise.all([
      ports.ehr.post<{ id: number }>('/snapshots'),
      ports.auth.post<{ id: number }>('/snapshots'),
    ]);
    const id = ++this.#taken;
    this.#kept = [{ id, name, at, ids: { ehr: ehr.id, auth: auth.id }, ...circumstances }, ...this.#kept];
    return { id, name, at };
  }

  /**
   * Deletes a snapshot, at both servers too. Returns those that are left.
   * @throws NotFound when there is none of this id
   */
  async deleteSnapshot(id: number): Promise<Snapshot[]> {
    const { ports } = this.#parts;
    const { ids } = this.#find(id);
    this.#kept = this.#kept.filter((snapshot) => snapshot.id !== id);
    await Promise.all([
      ports.ehr.delete(`/snapshots/${ids.ehr}`),
      ports.auth.delete(`/snapshots/${ids.auth}`),
    ]);
    return this.snapshots();
  }

  /**
   * Puts a snapshot back.
   * @throws NotFound when there is none of this id
   */
  async restore(id: number): Promise<State> {
    const { demoClock, faults, player, ports, stateWatch, forget } = this.#parts;
    await player.pause();
    const kept = this.#find(id);
    await Promise.all([
      ports.ehr.post(`/snapshots/${kept.ids.ehr}/restore`),
      ports.auth.post(`/snapshots/${kept.ids.auth}/restore`),
    ]);
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
    const byHand = faults.left({ isOfScenario: false });
    return { version: 1, seed, scenario: id, step, movedMs, skewMs, faults: byHand, ...texts };
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

  #find(id: number): Kept {
    const kept = this.#kept.find((snapshot) => snapshot.id === id);
    if (!kept) throw new NotFound('There is no such snapshot.');
    return kept;
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
