/**
 * Recognizes one-time codes that a predictable random generator made: an attacker could compute the next code
 * from earlier ones. It tries the usual generators, which all have a small state.
 */

/** A generator whose states are the numbers below `modulus`. `next` returns the state after a state. */
type Generator = { name: string; modulus: number; next: (state: number) => number };

const TWO_31 = 2 ** 31;
const TWO_32 = 2 ** 32;
const MERSENNE = TWO_31 - 1;

/** Multiplies and adds modulo 2^32. */
const linear = (factor: number, addend: number) => (state: number) =>
  (Math.imul(state, factor) + addend) >>> 0;

const GENERATORS: readonly Generator[] = [
  {
    name: 'rand of the C library',
    modulus: TWO_31,
    next: (state) => linear(1_103_515_245, 12_345)(state) % TWO_31,
  },
  { name: 'the generator of Numerical Recipes', modulus: TWO_32, next: linear(1_664_525, 1_013_904_223) },
  { name: 'the generator of Visual C', modulus: TWO_32, next: linear(214_013, 2_531_011) },
  { name: 'the generator of Borland', modulus: TWO_32, next: linear(22_695_477, 1) },
  { name: 'minstd_rand', modulus: MERSENNE, next: (state) => (state * 48_271) % MERSENNE },
  { name: 'minstd_rand0', modulus: MERSENNE, next: (state) => (state * 16_807) % MERSENNE },
];

/** With fewer digits, many states fit a code, so that codes follow from each other by chance. */
const MIN_DIGITS = 6;

/**
 * The server may send codes to other people in between: a code is compared with this many codes before it.
 */
const MAX_APART = 3;

/** In how many ways {@link followsFrom} may find that a code follows: generator and form, or linear. */
export const WAY_COUNT = 2 * GENERATORS.length + 1;

/** An upper bound of the probability that a code follows from earlier codes in one way by chance. */
export const CHANCE_PER_WAY = (MAX_APART * TWO_32) / 10 ** MIN_DIGITS / 10 ** MIN_DIGITS;

/** The way of a code that is the one before it, multiplied and with an addition. */
const LINEAR = 'a multiplication and an addition';

/** Names the ways in which a code follows from the codes `before` it, which are ordered newest first. */
export function followsFrom(code: string, before: readonly string[]): string[] {
  const alike = before.filter((earlier) => earlier.length === code.length && /^\d+$/.test(earlier));
  if (code.length < MIN_DIGITS) return [];
  const all = 10 ** code.length;
  const ways = GENERATORS.flatMap((generator) =>
    Object.entries(FORMS).flatMap(([form, isNext]) =>
      alike
        .slice(0, MAX_APART)
        .some((earlier) => isNext(generator, { all, earlier: Number(earlier), code: Number(code) }))
        ? [`${generator.name}, ${form}`]
        : [],
    ),
  );
  return isLinear([code, ...alike].map(Number), all) ? [...ways, LINEAR] : ways;
}

/** How servers make a code of a state: its last digits, or the state divided by the modulus as a fraction. */
const FORMS = { 'by its last digits': isNextByDigits, 'by its share': isNextByShare };

/** Two codes as numbers, and the number of codes of their length. */
type Pair = { all: number; earlier: number; code: number };

/** Whether some state that ends in the earlier code is followed by a state that ends in the code. */
function isNextByDigits({ modulus, next }: Generator, { all, earlier, code }: Pair): boolean {
  const apart = distanceOf(next, modulus, all);
  // The last digits are added up beside the state: a division for each state would take six times as long.
  const [apartInDigits, modulusInDigits] = [apart % all, modulus % all];
  let following = next(earlier);
  let digits = following % all;
  for (let state = earlier; state < modulus; state += all) {
    if (digits === code) return true;
    following += apart;
    digits += apartInDigits;
    if (following >= modulus) {
      following -= modulus;
      digits -= modulusInDigits;
    }
    if (digits >= all) digits -= all;
    else if (digits < 0) digits += all;
  }
  return false;
}

/** Whether some state whose fraction begins with the earlier code is followed by a state of the code. */
function isNextByShare({ modulus, next }: Generator, { all, earlier, code }: Pair): boolean {
  const apart = distanceOf(next, modulus, 1);
  const begin = Math.ceil((earlier * modulus) / all);
  const end = ((earlier + 1) * modulus) / all;
  // The states from `lowest` to below `highest` are those that give the code.
  const lowest = (code * modulus) / all;
  const highest = ((code + 1) * modulus) / all;
  let following = next(begin);
  for (let state = begin; state < end; state++) {
    if (following >= lowest && following < highest) return true;
    following += apart;
    if (following >= modulus) following -= modulus;
  }
  return false;
}

/** When two states lie `stride` apart, the states after them lie a fixed distance apart: returns it. */
const distanceOf = (next: Generator['next'], modulus: number, stride: number) =>
  (next(stride % modulus) - next(0) + modulus) % modulus;

/**
 * Whether each code is the code before it, multiplied and with an addition, modulo the number of codes. Then
 * one factor leads from each difference of four codes in a row to the next difference.
 */
function isLinear([d, c, b, a]: readonly number[], all: number): boolean {
  if (a === undefined || b === undefined || c === undefined || d === undefined) return false;
  const [one, two, three] = [b - a, c - b, d - c].map((each) => BigInt((each + all) % all)) as [
    bigint,
    bigint,
    bigint,
  ];
  if (one === 0n || two === 0n || three === 0n || one === two) return false;
  return (two * two - one * three) % BigInt(all) === 0n;
}
