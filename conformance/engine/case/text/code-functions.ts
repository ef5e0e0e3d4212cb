/** The functions of a script that look at several codes or tokens together. */

export const codeFunctions: Readonly<Record<string, string>> = {
  stepsOf: `
/** How far each code lies from the one before, either way around. */
function stepsOf(codes) {
  return codes.slice(1).map((code, index) => {
    const all = 10 ** code.length;
    const step = (Number(code) - Number(codes[index]) + all) % all;
    return Math.min(step, all - step);
  });
}`,
  isForetold: `
/** Whether each code follows from those before: by a generator that is no secret, or multiplied and added to. */
function isForetold(codes) {
  const all = 10 ** codes[0].length;
  const numbers = codes.map(Number);
  const follow = (isNext) => numbers.slice(1).every((number, index) => isNext(numbers[index], number));
  return GENERATORS.some(([factor, addend, modulus]) => {
    const after = (state) => Number((BigInt(factor) * BigInt(state) + BigInt(addend)) % BigInt(modulus));
    const share = (state) => Math.floor((state * all) / modulus);
    return follow((one, two) => {
      for (let state = one; state < modulus; state += all) if (after(state) % all === two) return true;
      return false;
    }) || follow((one, two) => {
      for (let state = Math.ceil((one * modulus) / all); share(state) === one; state++)
        if (share(after(state)) === two) return true;
      return false;
    });
  }) || isLinear(numbers, all);
}`,
  GENERATORS: `
/** Of the C library, Numerical Recipes, Visual C, Borland and the two minstd: factor, addend, modulus. */
const GENERATORS = [
  [1103515245, 12345, 2 ** 31],
  [1664525, 1013904223, 2 ** 32],
  [214013, 2531011, 2 ** 32],
  [22695477, 1, 2 ** 32],
  [48271, 0, 2 ** 31 - 1],
  [16807, 0, 2 ** 31 - 1],
];`,
  leastApart: `
/** In how many places, counted from the end, two of the texts differ at least. */
function leastApart(texts) {
  const differing = (one, two) =>
    Array.from({ length: Math.max(one.length, two.length) }, (_, index) => index).filter((index) => one.at(-1 - index) !== two.at(-1 - index)).length;
  return Math.min(...texts.flatMap((one, index) => texts.slice(index + 1).map((two) => differing(one, two))));
}`,
  isLinear: `
/** Whether one factor leads from each difference of four numbers in a row to the next one. */
function isLinear(numbers, all) {
  const apart = numbers.slice(1).map((number, index) => BigInt((number - numbers[index] + all) % all));
  return apart.slice(2).every((three, index) => (apart[index + 1] ** 2n - apart[index] * three) % BigInt(all) === 0n);
}`,
};
