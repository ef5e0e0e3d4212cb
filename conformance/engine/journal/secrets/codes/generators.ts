/** Recognizes codes that follow from the codes before by one of the usual generators. */

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

/** Shorter codes leave too much open: many follow from each other by chance. */
const MIN_DIGITS = 6;

/** Codes to others may lie between a code and the one that follows from it. */
const MAX_APART = 3;

/** The number of ways in which {@link followsFrom} finds that a code follows. */
export const WAY_COUNT = 2 * GENERATORS.length + 1;

/** Bounds the probability that a code follows from those before in one of these ways by chance. */
export const CHANCE_PER_WAY = (MAX_APART * TWO_32) / 10 ** MIN_DIGITS / 10 ** MIN_DIGITS;

/** Names the ways in which a code follows from those `before` it, newest first. */
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
  return isLinear([code, ...alike].map(Number), all) ? [...ways, 'a multiplication and an addition'] : ways;
}

/** How a code is taken from the state: its last digits, or its share of the modulus. */
const FORMS = { 'by its last digits': isNextByDigits, 'by its share': isNextByShare };

/** Two codes as numbers, and the number of codes of their length. */
type Pair = { all: number; earlier: number; code: number };

/** Whether a state that ends in the earlier code is followed by one that ends in the code. */
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

/** Whether a state whose share of the modulus is the earlier code is followed by one of the code. */
function isNextByShare({ modulus, next }: Generator, { all, earlier, code }: Pair): boolean {
  const apart = distanceOf(next, modulus, 1);
  const begin = Math.ceil((earlier * modulus) / all);
  const end = ((earlier + 1) * modulus) / all;
  // The share of a state is the code from the lowest of these states to the highest, exclusive.
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

/** States that lie equally far apart are followed by states that do: returns their distance. */
const distanceOf = (next: Generator['next'], modulus: number, stride: number) =>
  (next(stride % modulus) - next(0) + modulus) % modulus;

/** Whether one factor leads from each difference of four codes in a row to the next. */
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
