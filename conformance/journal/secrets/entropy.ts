/** An upper bound of the randomness in a token: finds weak tokens, cannot prove strong ones. */

/**
 * Returns an upper bound of the bits in `token`: its length times the bits of its alphabet, less what
 * `earlier` tokens of the same source show to be fixed, counted up or taken from a clock. Fixed are
 * characters that agree in all tokens; with only two tokens, those that agree beyond chance. Cannot recognize
 * a predictable generator such as Math.random.
 */
export function entropyBound(token: string, earlier: readonly string[]): number {
  const alphabet = alphabetBits(token);
  const fixed = Math.max(
    fixedCharacters(token, earlier, alphabet),
    ...earlier.map((other) => pairwise(token, other, alphabet)),
  );
  const repeated = Math.min(token.length, new Set(token).size * 8);
  return Math.round(Math.min(token.length - fixed, repeated) * alphabet);
}

function alphabetBits(token: string): number {
  if (/^\d+$/.test(token)) return Math.log2(10);
  if (/^[0-9a-f-]+$/i.test(token) && (token === token.toLowerCase() || token === token.toUpperCase())) return 4;
  if (/^[A-Z2-7=]+$/.test(token)) return 5;
  return 6;
}

/** Counts the characters at the same place in all tokens of this length, less those expected by chance. */
function fixedCharacters(token: string, earlier: readonly string[], alphabet: number): number {
  const alike = earlier.filter(({ length }) => length === token.length);
  if (alike.length === 0) return 0;
  const fixed = Array.from(token).filter((character, at) => alike.every((other) => other[at] === character)).length;
  return Math.max(0, fixed - byChance(token.length, alphabet * alike.length));
}

/** Counts the characters that two tokens share; for different lengths, those at both ends. */
function pairwise(token: string, other: string, alphabet: number): number {
  const shared = token.length === other.length ? samePlaces(token, other) : sameEnds(token, other);
  return Math.max(0, shared - byChance(token.length, alphabet));
}

function samePlaces(a: string, b: string): number {
  return Array.from(a).filter((character, at) => character === b[at]).length;
}

function sameEnds(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return head + tail;
}

/** The practical maximum of accidental agreements in `length` characters, each with chance 2^-bits. */
function byChance(length: number, bits: number): number {
  const mean = length / 2 ** bits;
  // Five standard deviations, and a few more because small numbers are coarse.
  return Math.ceil(mean + 5 * Math.sqrt(mean) + (mean < 0.01 ? 0 : 3));
}
