/** Random tokens of tests, and how strong the kit takes them for. */
import { type Random, seededRandom } from '#protocol/time/random.ts';
import { entropyBounds } from '../entropy.ts';

export const MIN_BITS = 72;

/** The lowest bound of tokens of one source. */
export const weakest = (tokens: readonly string[]): number => Math.min(...entropyBounds(tokens));

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A run's tokens: each character is drawn evenly. */
export function drawn(
  random: Random,
  { count, length, alphabet }: { count: number; length: number; alphabet: string },
) {
  const even = 256 - (256 % alphabet.length);
  let bytes: number[] = [];
  const next = () => {
    while (bytes.length === 0) bytes = [...random(256)].filter((byte) => byte < even);
    return alphabet[(bytes.pop() ?? 0) % alphabet.length];
  };
  return Array.from({ length: count }, () => Array.from({ length }, next).join(''));
}

/** Lengths about the bound, with the number of tokens in a run, and whether they are strong enough. */
export const LENGTHS = [
  [12, 196, false],
  [13, 196, true],
  [14, 196, true],
] as const;

/** Whether the base62 tokens of a seeded run are strong enough. */
export const isStrongIn = (seed: number, length: number, count: number): boolean =>
  weakest(drawn(seededRandom(seed), { count, length, alphabet: BASE62 })) >= MIN_BITS;
