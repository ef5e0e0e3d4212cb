/** Reads and writes durations as people type them. */

const UNITS_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
};
const PART = /(\d+(?:\.\d+)?)(ms|d|h|m|s)/g;

/** Reads `9m59.999s`, parts from the largest unit on, as whole milliseconds; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  const parts = [...text.matchAll(PART)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined;
  const sizes = parts.map(([, , unit = '']) => UNITS_MS[unit] as number);
  if (sizes.some((size, index) => index > 0 && size >= (sizes[index - 1] as number))) return undefined;
  // Rounded, because 59.999 * 1000 is not exactly 59999.
  return Math.round(
    parts.reduce((sum, [, amount], index) => sum + Number(amount) * (sizes[index] as number), 0),
  );
}

/** Writes a duration as {@link readDuration} reads it, to the second. */
export function writeDuration(ms: number): string {
  let left = Math.round(ms / 1_000) * 1_000;
  const parts = ['d', 'h', 'm', 's'].map((unit) => {
    const size = UNITS_MS[unit] as number;
    const amount = Math.floor(left / size);
    left -= amount * size;
    return amount === 0 ? '' : `${amount}${unit}`;
  });
  return parts.join('') || '0s';
}
