/**
 * Estimates how random the tokens of a server are: an upper bound of their entropy in bits. It shows that
 * tokens are weak. It cannot prove that they are strong. Also recognizes tokens that are no random values, but
 * hashes of a value that others know (a phone, a code, an earlier token) or can guess (a counter).
 */

import { binaryOf, bytesInBase64, bytesInHex } from '#protocol/wire/bytes.ts';
import { type Algorithm, hashBytes, nodeHash } from '#protocol/wire/hashes.ts';
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
    const fixed = mostFixed(token, tokens.slice(Math.max(0, index - MAX_COMPARED), index), 2 ** -bits);
    const unrepeated = Math.min(token.length, new Set(token).size * MAX_CHARS_PER_DISTINCT);
    let asShort = 0;
    for (const [length, { length: count }] of byLength) if (length <= token.length) asShort += count;
    return Math.floor(Math.min(token.length - fixed, unrepeated) * bits + Math.log2(tokens.length / asShort));
  });
}

/**
 * Returns tokens of one length without the characters that are equal in all: a fixed prefix does not show the
 * alphabet.
 */
function freeTexts(alike: readonly string[]): readonly string[] {
  const [first = '', ...others] = alike;
  if (others.length === 0) return alike;
  const free = Array.from({ length: first.length }, (_, at) => at).filter((at) =>
    others.some((other) => other[at] !== first[at]),
  );
  return alike.map((token) => free.map((at) => token[at]).join(''));
}

/** Counts the characters that the token has in common with all earlier tokens, or with one of them. */
function mostFixed(token: string, earlier: readonly string[], chance: number): number {
  return Math.max(
    fixedCharacters(token, earlier, chance),
    ...earlier.map((other) => shared(token, other, chance)),
  );
}

/** Counts characters that are equal in all tokens of this length, without those that chance explains. */
function fixedCharacters(token: string, earlier: readonly string[], chance: number): number {
  const alike = earlier.filter(({ length }) => length === token.length);
  if (alike.length === 0) return 0;
  let fixed = 0;
  for (let at = 0; at < token.length; at++) if (alike.every((other) => other[at] === token[at])) fixed++;
  return Math.max(0, fixed - mostByChance(token.length, chance ** alike.length));
}

/** Counts the characters that two tokens share, without those that chance explains. */
function shared(token: string, other: string, chance: number): number {
  const same = token.length === other.length ? samePlaces(token, other) : sameEnds(token, other);
  return same === 0 ? 0 : Math.max(0, same - mostByChance(token.length, chance));
}

function samePlaces(a: string, b: string): number {
  let same = 0;
  for (let at = 0; at < a.length; at++) if (a[at] === b[at]) same++;
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

/**
 * How many of `length` characters may agree by chance if each agrees with this probability: more agree with a
 * probability of at most {@link CHANCE}.
 */
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

const ALGORITHMS = ['md5', 'sha1', 'sha256', 'sha512'] as const satisfies readonly Algorithm[];

/**
 * Numbers below this one are tried as a counter that the server hashes. In a browser none are: the hashes
 * would take seconds, and no server of another make runs there.
 */
const MAX_COUNTED = nodeHash ? 20_000 : 0;

/** How much of a hash is compared: eight bytes do not agree by chance, and a server may cut a hash. */
const PREFIX_BYTES = 8;

/** The beginnings of the hashes of the first numbers, by algorithm. Undefined: not computed yet. */
let counted: ReadonlyMap<Algorithm, ReadonlySet<string>> | undefined;

/**
 * Names the algorithm by which a hash of one of the first numbers begins so. The hashes are computed once,
 * when the first token is seen, and by a plain loop: the kit answers nobody meanwhile.
 */
function algorithmOfCounted(prefix: string): Algorithm | undefined {
  counted ??= new Map(ALGORITHMS.map((algorithm) => [algorithm, countedBy(algorithm)]));
  return ALGORITHMS.find((algorithm) => counted?.get(algorithm)?.has(prefix));
}

function countedBy(algorithm: Algorithm): ReadonlySet<string> {
  const prefixes = new Set<string>();
  for (let number = 0; number < MAX_COUNTED; number++) prefixes.add(prefixOf(algorithm, String(number)));
  return prefixes;
}

/** The beginning of a hash, as a text with one character for each byte. */
const prefixOf = (algorithm: Algorithm, value: string) =>
  binaryOf(hashBytes(algorithm, value).subarray(0, PREFIX_BYTES));

const sourceIn = (algorithm: Algorithm, what: string) => `the ${algorithm.toUpperCase()} of ${what}`;

/** Decodes a token: hexadecimal, with or without dashes, or either kind of base64. */
function bytesIn(token: string): Uint8Array {
  const plain = token.replaceAll('-', '');
  return /^[0-9a-f]+$/i.test(plain) ? bytesInHex(plain) : bytesInBase64(token);
}

/** The first tokens of a run show how tokens are made; each costs some thousand hashes. */
const MAX_TIMED = 8;
/** A token reaches the kit within so many milliseconds; the clock of the server may differ by 3 s. */
const RECENT_MS = 100;
const JOINTS = ['', ':', '-', '|', '_'];

/** Collects values that others may know, and recognizes tokens that are hashes of them. */
export class TokenSources {
  readonly #hashes = new Map<string, string>();
  #timed = 0;

  /** Notes a value that others may know. `what` names it in findings. */
  learn(value: string, what: string): void {
    for (const algorithm of ALGORITHMS)
      this.#hashes.set(prefixOf(algorithm, value), sourceIn(algorithm, what));
  }

  /** Says of which phone a user id is the hash; undefined: of none that is known. */
  ofPhone(user: string): string | undefined {
    const known = this.#hashes.get(binaryOf(bytesIn(user).subarray(0, PREFIX_BYTES)));
    return known?.endsWith(' a phone') ? known : undefined;
  }

  /** Says that a token is the hash of one of these phones and the time (ms); of the first tokens alone. */
  ofPhoneAt(token: string, phones: readonly string[], now: number): string | undefined {
    if (!nodeHash || ++this.#timed > MAX_TIMED) return undefined;
    const prefix = binaryOf(bytesIn(token).subarray(0, PREFIX_BYTES));
    const seconds = Array.from({ length: 7 }, (_, index) => Math.floor(now / 1_000) + index - 3);
    const times = [...seconds, ...Array.from({ length: RECENT_MS }, (_, ms) => now - ms)];
    const texts = phones.flatMap((phone) =>
      times.flatMap((time) => JOINTS.flatMap((joint) => [phone + joint + time, time + joint + phone])),
    );
    for (const algorithm of ALGORITHMS)
      if (texts.some((text) => prefixOf(algorithm, text) === prefix))
        return sourceIn(algorithm, 'a phone and the time');
    return undefined;
  }

  /** Says of what value a token is the hash; undefined: of no known value. */
  of(token: string): string | undefined {
    const prefix = binaryOf(bytesIn(token).subarray(0, PREFIX_BYTES));
    const known = this.#hashes.get(prefix);
    if (known !== undefined) return known;
    const algorithm = algorithmOfCounted(prefix);
    return algorithm && sourceIn(algorithm, 'a counted number');
  }
}
