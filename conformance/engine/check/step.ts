/** Steps of a flow, which are made first and then played with what must come of them. */
import type { Expects } from '../journal/entry.ts';
import { ScenarioStopped } from './scenario-stopped.ts';

/** A step that is played when it is called. `expects` say what must come of it, for which check. */
export type Step<T> = (...expects: readonly Expects[]) => Promise<T>;

/** Keeps the steps that a flow has made and not played: the checks of a forgotten one would pass without it. */
export class MadeSteps {
  readonly #waiting = new Map<Step<unknown>, string>();

  /** Returns the step that does `play`. */
  make<T>(label: string, play: Step<T>): Step<T> {
    const step: Step<T> = (...expects) => {
      this.#waiting.delete(step);
      return play(...expects);
    };
    this.#waiting.set(step, label);
    return step;
  }

  /** @throws ScenarioStopped when a step was made and not played */
  requirePlayed(): void {
    const [label] = this.#waiting.values();
    if (label !== undefined)
      throw new ScenarioStopped(`the flow did not play its step "${label}"`, 'harness');
  }
}
