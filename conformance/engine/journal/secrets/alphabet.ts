/** The alphabet that tokens are written in, as their characters show it together. */

const DIGITS = '0123456789';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const CROCKFORD = `${DIGITS}ABCDEFGHJKMNPQRSTVWXYZ`;
const BASE62 = `${DIGITS}${UPPER}${LOWER}`;

/** The alphabets that tokens are usually written in, the smallest first. */
const ALPHABETS: readonly ReadonlySet<string>[] = [
  DIGITS,
  `${DIGITS}abcdef`,
  `${DIGITS}ABCDEF`,
  LOWER,
  UPPER,
  `${LOWER}234567`,
  `${UPPER}234567`,
  CROCKFORD,
  CROCKFORD.toLowerCase(),
  `${DIGITS}${LOWER}`,
  `${DIGITS}${UPPER}`,
  `${LOWER}${UPPER}`,
  BASE62.replace(/[0OIl]/g, ''),
  BASE62,
  `${BASE62}-_`,
  `${BASE62}+/`,
].map((characters) => new Set(characters));

/** Any other: all that ASCII prints; beyond it, all of UTF-16. */
const PRINTABLE_BITS = Math.log2(94);
const UTF16_BITS = 16;

/** Keeps to a smaller alphabet by chance with less than this probability. */
const CHANCE = 1e-9;

/**
 * Returns the bits of a character of the largest usual alphabet in which the texts may be written: the
 * smallest that contains them, or a larger one to which so few characters may keep by chance.
 */
export function alphabetBits(texts: readonly string[]): number {
  const unpadded = texts.map((text) => text.replace(/=+$/, ''));
  const seen = new Set(unpadded.flatMap((text) => text.split('')));
  const smallest = ALPHABETS.find((alphabet) => contains(alphabet, seen));
  if (!smallest) return [...seen].every((character) => /[!-~]/.test(character)) ? PRINTABLE_BITS : UTF16_BITS;
  const count = unpadded.reduce((sum, { length }) => sum + length, 0);
  const possible = ALPHABETS.filter(
    (alphabet) => contains(alphabet, smallest) && (smallest.size / alphabet.size) ** count > CHANCE,
  );
  return Math.log2(Math.max(smallest.size, ...possible.map(({ size }) => size)));
}

const contains = (alphabet: ReadonlySet<string>, characters: ReadonlySet<string>) =>
  [...characters].every((character) => alphabet.has(character));
