/** Recognizes codes that follow from the codes before by one of the usual generators. */

type Generator = { name: string; modulus: number; next: (state: number) => number };

const TWO_31 = 2 ** 31;
const TWO_32 = 2 ** 32;
const MERSENNE = TWO_31 - 1;

/** Multiplies and adds modulo 2^32. */
const linear = (factor: number, addend: number) => (state: number) => (Math.imul(state, factor) + addend) >>> 0;

const GENERATORS: readonly Generator[] = [
  { name: 'rand of the C library', modulus: TWO_31, next: (state) => linear(1_103_515_245, 12_345)(state) % TWO_31 },
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
    FORMS.flatMap((form) =>
      alike.slice(0, MAX_APART).some((earlier) => isNext(generator, form, { all, earlier, code }))
        ? [`${generator.name}, ${form}`]
        : [],
    ),
  );
  return isLinear([code, ...alike].map(Number), all) ? [...ways, 'a multiplication and an addition'] : ways;
}

/** How a code is taken from the state: its last digits, or its share of the modulus. */
const FORMS = ['by its last digits', 'by its share'] as const;

type Pair = { all: number; earlier: string; code: string };

function isNext(generator: Generator, form: (typeof FORMS)[number], { all, earlier, code }: Pair): boolean {
  const { modulus, next } = generator;
  const [first, wanted] = [Number(earlier), Number(code)];
  const byDigits = form === 'by its last digits';
  const begin = byDigits ? first : Math.ceil((first * modulus) / all);
  const end = byDigits ? modulus : ((first + 1) * modulus) / all;
  const stride = byDigits ? all : 1;
  // The states lie equally far apart, and so do those that follow from them.
  const apart = (next(stride % modulus) - next(0) + modulus) % modulus;
  // The share of a state is the wanted one from the lowest of these states to the highest, exclusive.
  const lowest = (wanted * modulus) / all;
  const highest = ((wanted + 1) * modulus) / all;
  let following = next(begin);
  // Its last digits are added up beside it: a division for each state would take ten times as long.
  let digits = following % all;
  for (let state = begin; state < end; state += stride) {
    if (byDigits ? digits === wanted : following >= lowest && following < highest) return true;
    following += apart;
    digits += apart % all;
    if (following >= modulus) {
      following -= modulus;
      digits -= modulus % all;
    }
    if (digits >= all) digits -= all;
    else if (digits < 0) digits += all;
  }
  return false;
}

/** Whether one factor leads from each difference of four codes in a row to the next. */
function isLinear([d, c, b, a]: readonly number[], all: number): boolean {
  if (a === undefined || b === undefined || c === undefined || d === undefined) return false;
  const [one, two, three] = [b - a, c - b, d - c].map((each) => BigInt((each + all) % all)) as [bigint, bigint, bigint];
  if (one === 0n || two === 0n || three === 0n || one === two) return false;
  return (two * two - one * three) % BigInt(all) === 0n;
}
