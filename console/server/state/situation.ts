/** The situation of a demo as a whole: reset, and the moment that a link opens again. */
import type { Moment, ScenarioState, State } from '../../api.ts';
import type { ControlPort } from '../control-port.ts';
import type { DemoClock } from '../demo-clock.ts';
import type { Phone } from '../phone.ts';
import type { Player } from '../scenarios/player.ts';
import type { Faults } from '../wires/faults.ts';
import type { StateWatch } from './state-watch.ts';

export type SituationParts = {
  demoClock: DemoClock;
  faults: Faults;
  phone: Phone;
  player: Player;
  ports: { ehr: ControlPort; auth: ControlPort };
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
    const { demoClock, faults, player, ports, stateWatch, forget } = this.#parts;
    player.forgetSteps();
    faults.disarmAll();
    await Promise.all([ports.ehr.post('/clear'), ports.auth.post('/clear')]);
    await demoClock.reset();
    forget();
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
