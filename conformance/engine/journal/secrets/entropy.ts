/**
 * Estimates how random the tokens of a server are: an upper bound of their entropy in bits. It shows that
 * tokens are weak. It cannot prove that they are strong.
 */
import { groupBy } from '../group-by.ts';

/** A token is compared with this many earlier tokens. */
const MAX_COMPARED = 20;

/** A coincidence that is less probable than this is taken for a rule by which the server makes tokens. */
const CHANCE = 1e-9;

/** A token with more characters than this for each distinct character repeats itself. */
const MAX_CHARS_PER_DISTINCT = 8;

/**
 * Returns an upper bound of the bits of each token: the number of its free characters times the bits of the
 * alphabet. The alphabet is estimated from all tokens of one length, because one token has too few
 * characters. Characters are not free if they equal those of earlier tokens (a prefix, a counter, a clock),
 * or repeat. A length that few tokens have, such as after a dropped leading zero, adds bits for its rarity.
 * Does not recognize a predictable generator such as Math.random.
 * @param tokens all tokens of one kind in a run, oldest first; the result has the same order
 */
export function entropyBounds(tokens: readonly string[]): number[] {
  const byLength = groupBy(tokens, ({ length }) => length);
  const bitsOf = new Map([...byLength].map(([length, alike]) => [length, alphabetBits(freeTexts(alike))]));
  return tokens.map((token, index) => {
    const bits = bitsOf.get(token.length) ?? 0;
    const chanceOfChar = 2 ** -bits;
    const fixed = mostFixed(token, tokens.slice(Math.max(0, index - MAX_COMPARED), index), chanceOfChar);
    const unrepeated = Math.min(token.length, new Set(token).size * MAX_CHARS_PER_DISTINCT);
    const free = Math.min(token.length - fixed, unrepeated);
    let asShort = 0;
    for (const [length, { length: count }] of byLength) if (length <= token.length) asShort += count;
    const rarityBits = Math.log2(tokens.length / asShort);
    return Math.floor(free * bits + rarityBits);
  });
}

/** Returns tokens of one length without the characters that all share: they do not show the alphabet. */
function freeTexts(alike: readonly string[]): readonly string[] {
  const [first = '', ...others] = alike;
  if (others.length === 0) return alike;
  const free = Array.from({ length: first.length }, (_, at) => at).filter((at) =>
    others.some((other) => other[at] !== first[at]),
  );
  return alike.map((token) => free.map((at) => token[at]).join(''));
}

/**
 * Counts the characters that the token has in common with all earlier tokens of its length, or with one
 * earlier token, without those that chance explains.
 */
function mostFixed(token: string, earlier: readonly string[], chance: number): number {
  const alike = earlier.filter(({ length }) => length === token.length);
  const beyondChance = (same: number, others: number) =>
    same === 0 ? 0 : Math.max(0, same - mostByChance(token.length, chance ** others));
  return Math.max(
    beyondChance(alike.length === 0 ? 0 : samePlaces(token, alike), alike.length),
    ...earlier.map((other) => {
      const isAlike = token.length === other.length;
      return beyondChance(isAlike ? samePlaces(token, [other]) : sameEnds(token, other), 1);
    }),
  );
}

/** Counts the places where a token has the same character as all the others of its length. */
function samePlaces(token: string, others: readonly string[]): number {
  let same = 0;
  for (let at = 0; at < token.length; at++) if (others.every((other) => other[at] === token[at])) same++;
  return same;
}

/** Counts the characters that two tokens of different length share at their beginnings and ends. */
function sameEnds(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return head + tail;
}

/** How many of `length` characters chance explains: more agree with a probability of at most {@link CHANCE}. */
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

/** The alphabets that tokens are usually written in, small ones first. */
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

const PRINTABLE_BITS = Math.log2(94);
const UTF16_BITS = 16;

/**
 * Returns the bits of one character of the alphabet in which the texts are written. It is the largest
 * alphabet of the list of which so few characters may show only the smaller alphabet by chance.
 */
function alphabetBits(texts: readonly string[]): number {
  const unpadded = texts.map((text) => text.replace(/={1,6}$/, ''));
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

/** Only so many of the newest tokens are compared with each other: a watched session may go on for days. */
const MAX_JUDGED = 1_000;

/** Collects the tokens of one kind (session or exchange tokens) in a run. */
export class SeenTokens {
  /** Key: the pseudonym. Value: the token. */
  readonly #tokens = new Map<string, string>();
  readonly #bits = new Map<string, number>();
  #isStale = false;

  add(name: string, token: string): boolean {
    if (this.#tokens.has(name)) return false;
    this.#tokens.set(name, token);
    this.#isStale = true;
    return true;
  }

  /** An upper bound of the random bits of a token, from all tokens so far; 0: the token is unknown. */
  bitsOf(name: string): number {
    if (this.#isStale) {
      const newest = [...this.#tokens].slice(-MAX_JUDGED);
      const bounds = entropyBounds(newest.map(([, token]) => token));
      for (const [index, [known]] of newest.entries()) this.#bits.set(known, bounds[index] ?? 0);
      this.#isStale = false;
    }
    return this.#bits.get(name) ?? 0;
  }
}
