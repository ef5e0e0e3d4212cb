/** Looks for a sequence in which the server differs from the state table, and shortens it. */
import type { Random } from '#protocol/time/random.ts';
import { drawSteps } from './draw-steps.ts';
import type { Step } from './state-model.ts';
import type { StepDifference } from './take-step.ts';

/** Plays a sequence on new users. Returns the first difference with the number of steps up to it. */
export type Play = (steps: readonly Step[]) => Promise<(StepDifference & { at: number }) | undefined>;

export type Explored = {
  /** Steps that were taken before the first difference was found, or in all. */
  taken: number;
  /** The shortest sequence that differs; undefined when none does. */
  shortest?: readonly Step[];
};

const SEQUENCE_STEPS = 25;
/** A server is asked so many steps; each takes about a millisecond of a local one. */
const MAX_STEPS = 2_000;

export async function explore(
  play: Play,
  random: Random,
  { canAdvance }: { canAdvance: boolean },
): Promise<Explored> {
  let taken = 0;
  while (taken < MAX_STEPS) {
    const steps = drawSteps(random, { length: SEQUENCE_STEPS, canAdvance });
    const found = await play(steps);
    taken += found ? found.at : steps.length;
    if (found) return { taken, shortest: await shorten(steps.slice(0, found.at), play) };
  }
  return { taken };
}

/** Leaves out steps as long as the rest differs at its end: large parts first, then single ones, then two. */
async function shorten(steps: readonly Step[], play: Play): Promise<readonly Step[]> {
  let shortest = steps;
  const without = async (left: readonly number[]): Promise<boolean> => {
    const rest = shortest.filter((_, at) => !left.includes(at));
    const found = await play(rest);
    if (found) shortest = rest.slice(0, found.at);
    return found !== undefined;
  };
  for (let size = Math.floor(steps.length / 2); size > 1; size = Math.floor(size / 2))
    for (let end = shortest.length - 1; end >= size; end = Math.min(end - size, shortest.length - 1))
      await without(Array.from({ length: size }, (_, index) => end - 1 - index));
  while (
    (await anyOf(single(shortest.length - 1), without)) ||
    (await anyOf(pairs(shortest.length - 1), without))
  );
  return shortest;
}

/** Tries one after another until one succeeds. */
async function anyOf(
  all: readonly number[][],
  attempt: (left: readonly number[]) => Promise<boolean>,
): Promise<boolean> {
  for (const each of all) if (await attempt(each)) return true;
  return false;
}

const single = (count: number): number[][] =>
  Array.from({ length: count }, (_, index) => [count - 1 - index]);

const pairs = (count: number): number[][] =>
  single(count).flatMap(([one = 0]) => Array.from({ length: one }, (_, other) => [one, other]));
