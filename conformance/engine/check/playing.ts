/** How every role plays: which scenarios, how many at a time, and the steps of a flow. */
import type { Expects, Party, ScenarioEntry } from '../journal/entry.ts';
import type { Check } from './check.ts';

/** A step that is played when it is called. `expects` say what must come of it, for which check. */
export type Step<T> = (...expects: readonly Expects[]) => Promise<T>;

/** Returns the scenarios whose entries these checks judge. */
export function neededBy<S extends { readonly id: string }>(
  checks: readonly Check[],
  scenarios: readonly S[],
): S[] {
  const needed = new Set(checks.flatMap((check) => check.scenarios));
  return scenarios.filter(({ id }) => needed.has(id));
}

/** The number of scenarios that the doctor plays to examine the set-up. The progress display counts it. */
export const SET_UP = 1;

/** Lets each worker take the next item when it is done with one. Returns the errors of all in order. */
export async function sideBySide<Item, Worker>(
  items: readonly Item[],
  workers: readonly Worker[],
  work: (item: Item, worker: Worker) => Promise<void>,
): Promise<unknown[]> {
  const waiting = [...items];
  const errors: unknown[] = [];
  const workOn = async (worker: Worker) => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      await work(item, worker).catch((error: unknown) => errors.push(error));
  };
  await Promise.all(workers.map(workOn));
  return errors;
}

/** Ends a scenario. The run continues, and the steps played so far are judged. */
export class ScenarioStopped extends Error {
  readonly blame: Party;
  constructor(because: string, blame: Party) {
    super(because);
    this.blame = blame;
  }
}

/** Ends a scenario that cannot be played: the party or its file does not offer what the scenario needs. */
export class NotPlayable extends Error {}

/** Plays a scenario, and returns how it ended. Another error than these two ends the run. */
export async function endingOf(
  play: () => Promise<void>,
): Promise<Pick<ScenarioEntry, 'stopped' | 'notPlayable'>> {
  try {
    await play();
    return {};
  } catch (error) {
    if (error instanceof NotPlayable) return { notPlayable: error.message };
    if (error instanceof ScenarioStopped) return { stopped: { because: error.message, blame: error.blame } };
    throw error;
  }
}

/** Keeps the steps that a flow has made and not played: the checks of a forgotten one would pass without it. */
export class MadeSteps {
  readonly #waiting = new Map<Step<unknown>, string>();

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
