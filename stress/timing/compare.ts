/** Whether two samples of times can be told apart, and how hard that would be for somebody who does not know which is which. */
import { cropped, kolmogorovSmirnov, mannWhitney, quantile, type Sample, sorted, welch } from './statistics.ts';

export type Comparison = {
  /** How many times were taken of each. */
  n: [number, number];
  /** In nanoseconds. */
  medians: [number, number];
  /** Difference of the medians, second less first, in nanoseconds. */
  medianDifference: number;
  /** Welch's t where the samples are cropped to this share of the fastest. */
  welch: { share: number; t: number; difference: number }[];
  /** The t of these with the largest magnitude. */
  t: number;
  /** Mann-Whitney, as a normal deviate. */
  z: number;
  ks: { distance: number; probability: number };
  toldApart: boolean;
  /**
   * Told apart: how many calls make that as sure as the threshold demands. Not told apart: how large a difference of
   * the means these calls would have shown, in nanoseconds.
   */
  needs: { calls: number } | { difference: number };
};

/** The classical threshold of leak detection: by chance |t| reaches it seven times in a million. */
export const THRESHOLD = 4.5;
const CHANCE = 6.8e-6;

/** All, then without ever more of the slowest; as dudect does. */
const SHARES = [1, 0.99, 0.95, 0.9, 0.75, 0.5];

/** Compares two samples of times, in nanoseconds. */
export function compare(a: Sample, b: Sample): Comparison {
  const medians = [quantile(sorted(a), 0.5), quantile(sorted(b), 0.5)] as const;
  const tests = SHARES.map((share) => {
    const [left, right] = share === 1 ? [a, b] : cropped(a, b, share);
    return { share, n: left.length + right.length, ...welch(left, right) };
  });
  const strongest = tests.reduce((best, next) => (Math.abs(next.t) > Math.abs(best.t) ? next : best));
  const sharpest = tests.reduce((best, next) => (next.error < best.error ? next : best));
  const z = mannWhitney(a, b);
  const ks = kolmogorovSmirnov(a, b);
  const surest = Math.max(Math.abs(strongest.t), Math.abs(z));
  const toldApart = surest >= THRESHOLD || ks.probability < CHANCE;
  return {
    n: [a.length, b.length],
    medians: [...medians],
    medianDifference: medians[1] - medians[0],
    welch: tests.map(({ share, t, difference }) => ({ share, t, difference })),
    t: strongest.t,
    z,
    ks,
    toldApart,
    needs: toldApart
      ? { calls: Math.ceil((a.length + b.length) * (THRESHOLD / Math.max(surest, THRESHOLD)) ** 2) }
      : { difference: THRESHOLD * sharpest.error },
  };
}
