/** Medians over rounds, and ratios that are first made inside each round. */

export type Summary = { median: number; min: number; max: number };

/** The middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value below which `share` (0 to 1) of the values lie, interpolated. Throws a RangeError for none. */
export function percentile(values: ArrayLike<number>, share: number): number {
  if (values.length === 0) throw new RangeError('Failed to summarise measurements: there are none.');
  const sorted = Float64Array.from(values).sort();
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return below + (above - below) * (at - Math.floor(at));
}

export function summarise(values: readonly number[]): Summary {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** The median of the ratios of each round: what slows a round slows both sides. */
export function medianRatio(values: readonly number[], base: readonly number[]): number {
  if (values.length !== base.length) {
    throw new RangeError(`Failed to compare measurements: ${values.length} rounds against ${base.length}.`);
  }
  return median(values.map((value, round) => value / (base[round] as number)));
}
