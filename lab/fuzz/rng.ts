/** Reproducible random choices: input number i of a seed is the same in every run. */
import { seededRandom } from '#protocol/time/random.ts';

export type Rng = {
  /** Returns a whole number from 0 to `count - 1`. */
  below(count: number): number;
  /** Returns true once in `times` calls on average. */
  oneIn(times: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Picks one of the functions at random and calls it. */
  either<T>(...makers: readonly (() => T)[]): T;
};

/** Creates the generator of one input. */
export function rngOf(seed: number, index: number): Rng {
  // The generator takes 32 bits. Multiplying and mixing gives neighbouring indexes unrelated sequences.
  const random = seededRandom(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ index);
  const below = (count: number) => {
    const [a = 0, b = 0, c = 0, d = 0] = random(4);
    return (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) % count;
  };
  const pick = <T>(list: readonly T[]) => list[below(list.length)] as T;
  return {
    below,
    oneIn: (times) => below(times) === 0,
    pick,
    either: (...makers) => pick(makers)(),
  };
}
