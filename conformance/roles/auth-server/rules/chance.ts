/** How probable an observation is by chance: codes are called guessable only when chance is excluded. */

/** Chance is excluded below this probability: one false accusation in a billion runs. */
export const MAX_CHANCE = 1e-9;

/** Bounds the probability of at least `hits` in `trials`, each with probability `p`. */
export function atLeast(hits: number, trials: number, p: number): number {
  if (hits <= 0) return 1;
  if (hits > trials || p <= 0) return 0;
  // No more than the mean is no rarity, and far below it the terms are too small for numbers.
  if (hits <= trials * p) return 1;
  let term = Math.exp(logChoose(trials, hits) + hits * Math.log(p) + (trials - hits) * Math.log1p(-p));
  let sum = term;
  for (let k = hits; k < trials; k++) {
    term *= ((trials - k) / (k + 1)) * (p / (1 - p));
    sum += term;
    // Beyond the mean the terms decrease; the rest is negligible.
    if (k > trials * p && term < sum * 1e-12) break;
  }
  return Math.min(1, sum);
}

/** Bounds the probability that one of `possible` values is drawn `times` or more in `draws` draws. */
export function sameValue(times: number, draws: number, possible: number): number {
  if (times <= 1) return 1;
  return Math.min(1, Math.exp(logChoose(draws, times) - (times - 1) * Math.log(possible)));
}

/** A probability in words, not more exact than one in a billion. */
export function inWords(probability: number): string {
  if (probability < MAX_CHANCE) return 'less often than once in a billion runs';
  return `once in ${Math.round(1 / probability).toLocaleString('en-US')} runs`;
}

function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += Math.log(n - k + i) - Math.log(i);
  return sum;
}
