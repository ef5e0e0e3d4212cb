/** Looks for a sequence in which the server differs from the state table, and shortens it. */
import type { Random } from '#protocol/time/random.ts';
import { drawSteps } from './draw-steps.ts';
import type { Step } from './state-model.ts';
import type { Difference } from './take-step.ts';

/** Plays a sequence on new users. Returns the first difference with the number of steps up to it. */
export type Play = (steps: readonly Step[]) => Promise<(Difference & { at: number }) | undefined>;

export type Explored = {
  /** Steps that were taken before the first difference was found, or in all. */
  taken: number;
  /** The shortest sequence that differs; undefined when none does. */
  shortest?: readonly Step[];
};

const SEQUENCE_STEPS = 25;
/** A server is asked so many steps; each takes about a millisecond of a local one. */
const MAX_STEPS = 2_000;

export async function explore(play: Play, random: Random, { canAdvance }: { canAdvance: boolean }): Promise<Explored> {
  let taken = 0;
  while (taken < MAX_STEPS) {
    const steps = drawSteps(random, { length: SEQUENCE_STEPS, canAdvance });
    const found = await play(steps);
    taken += found ? found.at : steps.length;
    if (found) return { taken, shortest: await shorten(steps.slice(0, found.at), play) };
  }
  return { taken };
}

/** Leaves out steps, one after another from the last, as long as the rest differs at its end. */
async function shorten(steps: readonly Step[], play: Play): Promise<readonly Step[]> {
  let shortest = steps;
  for (let isShorter = true; isShorter; ) {
    isShorter = false;
    for (let index = shortest.length - 2; index >= 0; index--) {
      const rest = shortest.filter((_, at) => at !== index);
      const found = await play(rest);
      if (!found) continue;
      shortest = rest.slice(0, found.at);
      index = Math.min(index, shortest.length - 1);
      isShorter = true;
    }
  }
  return shortest;
}
