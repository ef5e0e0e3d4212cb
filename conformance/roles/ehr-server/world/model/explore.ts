/** Plays drawn sequences, finds those that the state table answers otherwise, and shortens them. */
import type { Random } from '#protocol/time/random.ts';
import { drawSteps } from './draw-steps.ts';
import type { Step } from './state-model.ts';
import type { StepDifference } from './take-step.ts';

/** A difference; `at` is the number of steps up to it. */
export type Found = StepDifference & { at: number };

/** Returns the first difference that `isWanted`. After another code the sequence goes on, else it ends. */
export type Play = (
  steps: readonly Step[],
  isWanted: (difference: StepDifference) => boolean,
) => Promise<Found | undefined>;

export type Shortest = { steps: readonly Step[]; found: StepDifference };

export type Explored = { taken: number; shortest: readonly Shortest[] };

/** Steps of one sequence; each sequence has new users. */
const SEQUENCE_STEPS = 25;
/** After so many kinds of differences of outcome the kit stops: more help nobody. So too for those of code. */
const MAX_DIFFERENCES = 3;

/** What is the same in differences of one kind, whatever the names: the call, what is due, what came. */
const kindOf = ({ step, expected, actual }: StepDifference) => `${step.kind}: ${expected}, ${actual}`;

type Limits = {
  canAdvance: boolean;
  maxSteps: number;
  /** Whether the server is so slow that no sequence is shortened any more. */
  isLate: () => boolean;
};

/** Plays sequences that `random` draws. Goes on after a difference, to find those of another kind. */
export async function explore(
  play: Play,
  random: Random,
  { canAdvance, maxSteps, isLate }: Limits,
): Promise<Explored> {
  const shortest: Shortest[] = [];
  const known = new Set<string>();
  const count = (isOfCode: boolean) =>
    shortest.filter(({ found }) => (found.breaks === 'code') === isOfCode).length;
  const isWanted = (difference: StepDifference) =>
    !known.has(kindOf(difference)) && count(difference.breaks === 'code') < MAX_DIFFERENCES;
  let taken = 0;
  while (taken < maxSteps && count(false) < MAX_DIFFERENCES) {
    const steps = drawSteps(random, { length: SEQUENCE_STEPS, canAdvance });
    const found = await play(steps, isWanted);
    taken += found ? found.at : steps.length;
    if (!found) continue;
    // The shortened sequence may end in a difference of another kind, which is known then, too.
    let last: StepDifference = found;
    const noted = async (some: readonly Step[]) => {
      const other = await play(some, (each) => isWanted(each) && each.breaks === found.breaks);
      if (other) last = other;
      return other;
    };
    shortest.push({ steps: await shorten(steps.slice(0, found.at), noted, isLate), found: last });
    known.add(kindOf(found)).add(kindOf(last));
  }
  return { taken, shortest };
}

/** Leaves out halves, ever smaller runs, single steps, then any two. The last answer is the wrong one. */
async function shorten(
  steps: readonly Step[],
  play: (steps: readonly Step[]) => Promise<Found | undefined>,
  isLate: () => boolean,
): Promise<readonly Step[]> {
  let shortest = steps;
  const without = async (left: readonly number[]): Promise<boolean> => {
    if (isLate()) return false;
    const rest = shortest.filter((_, at) => !left.includes(at));
    const found = await play(rest);
    if (found) shortest = rest.slice(0, found.at);
    return found !== undefined;
  };
  for (let size = Math.floor(steps.length / 2); size > 1; size = Math.floor(size / 2))
    for (let end = shortest.length - 1; end >= size; end = Math.min(end - size, shortest.length - 1))
      await without(Array.from({ length: size }, (_, index) => end - 1 - index));
  // The body is empty: the condition itself shortens the sequence, until nothing more can be left out.
  while (
    (await anyOf(single(shortest.length - 1), without)) ||
    (await anyOf(pairs(shortest.length - 1), without))
  );
  return shortest;
}

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
