/** Drawing from faker's seeded generator and nothing else, so that a seed fixes every value. */
import { generateMersenne53Randomizer } from '@faker-js/faker';

/** A pattern in faker's notation, taken apart once: what stands for itself, and between it how many digits to draw. */
export type Pattern = readonly (string | number)[];

export type Draw = {
  /** A whole number from 0 to `bound - 1`, each equally likely. */
  below(bound: number): number;
  /** One of the values. */
  pick<Value>(values: readonly Value[]): Value;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** This many digits, at most 15. */
  digits(count: number): string;
  fill(pattern: Pattern): string;
};

/** Stands in a {@link Pattern} for one digit from 2 to 9, faker's `!`. */
const TWO_TO_NINE = -1;

/** A generator of its own for this seed: what else is drawn in the process does not change it. */
export function createDraw(seed: number): Draw {
  const randomizer = generateMersenne53Randomizer(seed);
  const below = (bound: number) => Math.floor(randomizer.next() * bound);
  // One draw for a run of digits: a draw costs more than all else in a number.
  const digits = (count: number) => String(below(10 ** count)).padStart(count, '0');
  return {
    below,
    digits,
    pick<Value>(values: readonly Value[]): Value {
      if (values.length === 0) throw new RangeError('Failed to draw: there is nothing to draw from.');
      return values[below(values.length)] as Value;
    },
    chance: (probability) => randomizer.next() < probability,
    fill(pattern) {
      let text = '';
      for (const part of pattern) {
        if (typeof part === 'string') text += part;
        else text += part === TWO_TO_NINE ? 2 + below(8) : digits(part);
      }
      return text;
    },
  };
}

/** Takes a pattern apart: `#` is any digit, `!` one from 2 to 9, all else stands for itself. */
export function readPattern(pattern: string): Pattern {
  return (pattern.match(/#{1,15}|!|[^#!]+/g) ?? []).map((part) => {
    if (part === '!') return TWO_TO_NINE;
    return part.startsWith('#') ? part.length : part;
  });
}
