/** Choices that repeat themselves: input number i of a seed is the same in every run. */
import { seededRandom } from '#protocol/random.ts';

export type Dice = {
  /** A whole number from 0 up to, not including, `count`. */
  below(count: number): number;
  /** Whether something happens that does once in `times`. */
  oneIn(times: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Calls one of these, picked by chance. */
  either<T>(...makers: readonly (() => T)[]): T;
};

/** The dice of one input. */
export function diceOf(seed: number, index: number): Dice {
  // The generator takes 32 bits; neighbouring numbers give sequences that have nothing in common.
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
