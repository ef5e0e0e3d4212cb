/** An upper bound of the randomness in tokens of one source: finds weak tokens, cannot prove strong ones. */
import { groupBy } from '../../group-by.ts';

/** A token is compared with this many tokens before it. */
const MAX_COMPARED = 20;

/** What is less probable does not happen: more characters agree, or keep to a smaller alphabet, by chance. */
const CHANCE = 1e-9;

/** More characters than these, for each distinct one, are repetition. */
const MAX_CHARS_PER_DISTINCT = 8;

/**
 * Returns an upper bound of the bits in each token of a run, oldest first: the number of free characters
 * times the bits of the alphabet. All tokens of one length show the alphabet together: the few characters of
 * one token would show too small a one. Not free are characters that the tokens before show to be fixed,
 * counted up or taken from a clock, and characters that repeat. A length that few tokens have is a matter of
 * chance, such as a leading zero that was dropped: how few they are counts as bits. Cannot recognize a
 * predictable generator such as Math.random.
 */
export function entropyBounds(tokens: readonly string[]): number[] {
  const byLength = groupBy(tokens, ({ length }) => length);
  const bitsOf = new Map([...byLength].map(([length, alike]) => [length, alphabetBits(freeTexts(alike))]));
  return tokens.map((token, index) => {
    const bits = bitsOf.get(token.length) ?? 0;
    const fixed = mostFixed(token, tokens.slice(Math.max(0, index - MAX_COMPARED), index), 2 ** -bits);
    const unrepeated = Math.min(token.length, new Set(token).size * MAX_CHARS_PER_DISTINCT);
    let asShort = 0;
    for (const [length, { length: count }] of byLength) if (length <= token.length) asShort += count;
    return Math.floor(Math.min(token.length - fixed, unrepeated) * bits + Math.log2(tokens.length / asShort));
  });
}

/** Tokens of one length without the places at which all agree: a prefix says nothing of the alphabet. */
function freeTexts(alike: readonly string[]): readonly string[] {
  const [first = '', ...others] = alike;
  if (others.length === 0) return alike;
  const free = Array.from({ length: first.length }, (_, at) => at).filter((at) =>
    others.some((other) => other[at] !== first[at]),
  );
  return alike.map((token) => free.map((at) => token[at]).join(''));
}

/** Counts the characters that are fixed beside earlier tokens, beside one of them or all. */
function mostFixed(token: string, earlier: readonly string[], chance: number): number {
  return Math.max(
    fixedCharacters(token, earlier, chance),
    ...earlier.map((other) => shared(token, other, chance)),
  );
}

/** Counts the characters at the same place in all tokens of this length, less those expected by chance. */
function fixedCharacters(token: string, earlier: readonly string[], chance: number): number {
  const alike = earlier.filter(({ length }) => length === token.length);
  if (alike.length === 0) return 0;
  let fixed = 0;
  for (let at = 0; at < token.length; at++) if (alike.every((other) => other[at] === token[at])) fixed++;
  return Math.max(0, fixed - mostByChance(token.length, chance ** alike.length));
}

/** Counts the characters that two tokens share, less those expected by chance. */
function shared(token: string, other: string, chance: number): number {
  const same = token.length === other.length ? samePlaces(token, other) : sameEnds(token, other);
  return same === 0 ? 0 : Math.max(0, same - mostByChance(token.length, chance));
}

function samePlaces(a: string, b: string): number {
  let same = 0;
  for (let at = 0; at < a.length; at++) if (a[at] === b[at]) same++;
  return same;
}

function sameEnds(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return head + tail;
}

/** The most of `length` characters that agree by chance, each with this chance; {@link CHANCE} remains. */
function mostByChance(length: number, chance: number): number {
  let more = 1 - (1 - chance) ** length;
  let exactly = (1 - chance) ** length;
  let most = 0;
  while (more > CHANCE && most < length) {
    exactly *= ((length - most) / (most + 1)) * (chance / (1 - chance));
    most++;
    more -= exactly;
  }
  return most;
}

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

/**
 * Returns the bits of a character of the largest usual alphabet in which the texts may be written: the
 * smallest that contains them, or a larger one to which so few characters may keep by chance.
 */
function alphabetBits(texts: readonly string[]): number {
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
