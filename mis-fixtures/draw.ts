/** Draws values from faker's seeded generator only, so that a seed fixes every value. */
import { generateMersenne53Randomizer } from '@faker-js/faker';

/** A parsed pattern in faker's notation. A string is literal text; a number is a count of digits to draw. */
export type Pattern = readonly (string | number)[];

export type Draw = ReturnType<typeof createDraw>;

/** In a {@link Pattern}: one digit from 2 to 9, faker's `!`. */
const TWO_TO_NINE = -1;

/** Creates a separate generator for this seed: other draws in the process do not affect it. */
export function createDraw(seed: number) {
  const randomizer = generateMersenne53Randomizer(seed);
  /** Returns a whole number from 0 to `bound - 1`, each equally likely. */
  const below = (bound: number): number => Math.floor(randomizer.next() * bound);
  /** Returns this many digits, at most 15. They are drawn at once: a draw is the most expensive part. */
  const digits = (count: number): string => String(below(10 ** count)).padStart(count, '0');
  return {
    below,
    digits,
    pick<Value>(values: readonly Value[]): Value {
      if (values.length === 0) throw new RangeError('Failed to draw: there is nothing to draw from.');
      return values[below(values.length)] as Value;
    },
    /** Returns true with this probability. */
    chance: (probability: number): boolean => randomizer.next() < probability,
    fill(pattern: Pattern): string {
      let text = '';
      for (const part of pattern) {
        if (typeof part === 'string') text += part;
        else text += part === TWO_TO_NINE ? 2 + below(8) : digits(part);
      }
      return text;
    },
  };
}

/** Parses a pattern: `#` is any digit, `!` one from 2 to 9, everything else is literal. */
export function readPattern(pattern: string): Pattern {
  return (pattern.match(/#{1,15}|!|[^#!]+/g) ?? []).map((part) => {
    if (part === '!') return TWO_TO_NINE;
    return part.startsWith('#') ? part.length : part;
  });
}
