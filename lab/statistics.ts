/**
 * The statistics of the benchmarks: medians over rounds, and ratios that are first made inside each round.
 */

/** Summary of a list of measurements. */
export type Summary = { median: number; min: number; max: number };

/**
 * Returns the middle value, or the mean of the two middle ones.
 * @throws RangeError for an empty list
 */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/**
 * Returns the value below which `share` (0 to 1) of the values lie, interpolated between neighbours.
 * @throws RangeError for an empty list
 */
export function percentile(values: ArrayLike<number>, share: number): number {
  if (values.length === 0) throw new RangeError('Failed to summarise measurements: there are none.');
  const sorted = Float64Array.from(values).sort();
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return below + (above - below) * (at - Math.floor(at));
}

/**
 * Summarises the values.
 * @throws RangeError for an empty list
 */
export function summarise(values: readonly number[]): Summary {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/**
 * Returns the median of the ratios of each round. What slows the machine for a round slows both sides of the
 * ratio, so it stays the same where the figures drift.
 * @throws RangeError when the two were not measured in the same rounds
 */
export function medianRatio(values: readonly number[], base: readonly number[]): number {
  if (values.length !== base.length) {
    throw new RangeError(`Failed to compare measurements: ${values.length} rounds against ${base.length}.`);
  }
  return median(values.map((value, round) => value / (base[round] as number)));
}
