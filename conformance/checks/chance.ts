/** How probable it is that what was seen is chance: a check says that codes can be guessed only when it practically cannot be. */

/** Less probable than this is no chance: one right server in a billion runs. */
export const NO_CHANCE = 1e-9;

/** At least `hits` of `trials` that each hit with probability `p`. */
export function atLeast(hits: number, trials: number, p: number): number {
  if (hits <= 0) return 1;
  if (hits > trials || p <= 0) return 0;
  if (p >= 1) return 1;
  let term = Math.exp(logChoose(trials, hits) + hits * Math.log(p) + (trials - hits) * Math.log1p(-p));
  let sum = term;
  for (let k = hits; k < trials; k++) {
    term *= ((trials - k) / (k + 1)) * (p / (1 - p));
    sum += term;
    // Past the middle the terms fall, and what is left of them does not count.
    if (k > trials * p && term < sum * 1e-12) break;
  }
  return Math.min(1, sum);
}

/** An upper bound for one of `possible` values being drawn `times` or more in `draws` draws. */
export function sameValue(times: number, draws: number, possible: number): number {
  if (times <= 1) return 1;
  return Math.min(1, Math.exp(logChoose(draws, times) - (times - 1) * Math.log(possible)));
}

/** How a probability is told: what is less than a billionth is not told more exactly. */
export function inWords(probability: number): string {
  if (probability < NO_CHANCE) return 'less often than once in a billion runs';
  return `once in ${Math.round(1 / probability).toLocaleString('en-US')} runs`;
}

function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += Math.log(n - k + i) - Math.log(i);
  return sum;
}
