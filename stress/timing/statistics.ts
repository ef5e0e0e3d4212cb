/** The statistics that tell two samples of times apart: Welch's t on cropped samples, Mann-Whitney and Kolmogorov-Smirnov. */

/** Times in nanoseconds. */
export type Sample = Float64Array;

export type Welch = {
  /** Welch's t: the difference of the means in units of its standard error. */
  t: number;
  /** Mean of the second sample less that of the first, in nanoseconds. */
  difference: number;
  /** Standard error of the difference, in nanoseconds. */
  error: number;
};

/** The value below which the share `q` of a sorted sample lies, by the nearest rank. */
export function quantile(sorted: Sample, q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] as number;
}

export function sorted(sample: Sample): Sample {
  return sample.slice().sort();
}

/** Welch's t test of two samples of unequal variance. */
export function welch(a: Sample, b: Sample): Welch {
  const [left, right] = [moments(a), moments(b)];
  const error = Math.sqrt(left.variance / a.length + right.variance / b.length);
  const difference = right.mean - left.mean;
  if (error > 0) return { t: difference / error, difference, error };
  return { t: difference === 0 ? 0 : Math.sign(difference) * Number.POSITIVE_INFINITY, difference, error };
}

/** Both samples without what is above the share `q` of the two together: slow outliers are the machine's, not the server's. */
export function cropped(a: Sample, b: Sample, q: number): [Sample, Sample] {
  const both = new Float64Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  const limit = quantile(both.sort(), q);
  return [a.filter((value) => value <= limit), b.filter((value) => value <= limit)];
}

/** The Mann-Whitney test: its U as a normal deviate, corrected for ties; positive when the second sample is slower. */
export function mannWhitney(a: Sample, b: Sample): number {
  const [n, m] = [a.length, b.length];
  const total = n + m;
  let rank = 0;
  let ranksOfB = 0;
  let ties = 0;
  mergeTies(sorted(a), sorted(b), (fromA, fromB) => {
    const count = fromA + fromB;
    ranksOfB += fromB * (rank + (count + 1) / 2);
    ties += count ** 3 - count;
    rank += count;
  });
  const u = ranksOfB - (m * (m + 1)) / 2;
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))));
  return deviation === 0 ? 0 : (u - (n * m) / 2) / deviation;
}

/** The Kolmogorov-Smirnov test: the largest distance of the two distributions, and how probable one so large is by chance. */
export function kolmogorovSmirnov(a: Sample, b: Sample): { distance: number; probability: number } {
  let [seenA, seenB, distance] = [0, 0, 0];
  mergeTies(sorted(a), sorted(b), (fromA, fromB) => {
    seenA += fromA;
    seenB += fromB;
    distance = Math.max(distance, Math.abs(seenA / a.length - seenB / b.length));
  });
  const effective = Math.sqrt((a.length * b.length) / (a.length + b.length));
  return { distance, probability: kolmogorov((effective + 0.12 + 0.11 / effective) * distance) };
}

/** Calls `take` for each value that occurs, in order, with how often it stands in each sample. */
function mergeTies(a: Sample, b: Sample, take: (fromA: number, fromB: number) => void): void {
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const value = Math.min(a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY);
    const [startA, startB] = [i, j];
    while (a[i] === value) i++;
    while (b[j] === value) j++;
    take(i - startA, j - startB);
  }
}

/** Kolmogorov's distribution: the probability of a distance beyond `lambda`. */
function kolmogorov(lambda: number): number {
  if (lambda < 0.3) return 1;
  let sum = 0;
  for (let k = 1; k <= 100; k++) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * lambda * lambda);
  return Math.min(1, Math.max(0, sum));
}

function moments(sample: Sample): { mean: number; variance: number } {
  let mean = 0;
  let squares = 0;
  let count = 0;
  for (const value of sample) {
    const delta = value - mean;
    mean += delta / ++count;
    squares += delta * (value - mean);
  }
  return { mean, variance: count > 1 ? squares / (count - 1) : 0 };
}
