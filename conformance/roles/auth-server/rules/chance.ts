/** Computes how probable it is that codes agree by chance. */

/** Codes are called guessable below this probability of chance: one false accusation in a billion runs. */
export const MAX_CHANCE = 1e-9;

/** An upper bound for at least `hits` hits in `trials` trials of probability `p`. */
export function atLeast(hits: number, trials: number, p: number): number {
  if (hits <= 0) return 1;
  if (hits > trials || p <= 0) return 0;
  // As many hits as the mean are nothing rare. Far below the mean the terms are too small for a number.
  if (hits <= trials * p) return 1;
  let term = Math.exp(logChoose(trials, hits) + hits * Math.log(p) + (trials - hits) * Math.log1p(-p));
  let sum = term;
  for (let k = hits; k < trials; k++) {
    term *= ((trials - k) / (k + 1)) * (p / (1 - p));
    sum += term;
    // Beyond the mean the terms decrease; those that remain are negligible.
    if (k > trials * p && term < sum * 1e-12) break;
  }
  return Math.min(1, sum);
}

/** An upper bound for a value of `possible` ones that is drawn `times` or more in `draws`. */
export function sameValue(times: number, draws: number, possible: number): number {
  if (times <= 1) return 1;
  return Math.min(1, Math.exp(logChoose(draws, times) - (times - 1) * Math.log(possible)));
}

/** Says a probability in words: `once in 5,000 runs`. Below {@link MAX_CHANCE} the number is not said. */
export function inWords(probability: number): string {
  if (probability < MAX_CHANCE) return 'less often than once in a billion runs';
  return `once in ${Math.round(1 / probability).toLocaleString('en-US')} runs`;
}

/** The natural logarithm of the binomial coefficient "n choose k"; the coefficient itself is too large. */
function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += Math.log(n - k + i) - Math.log(i);
  return sum;
}
