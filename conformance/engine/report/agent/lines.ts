/** Fits labelled lines into a limit of bytes: the longest values are cut, and the others stay whole. */
import { type LineText, OneLine } from './quote.ts';

/** One line. `firm`: its value keeps up to so many bytes, whatever the others need. */
export type LabelledLine = LineText & { label: string; firm?: number };

/** Every value keeps so many bytes. All lines of a block together stay within its limit by it. */
const MIN_VALUE_BYTES = 52;

/**
 * Returns the lines of a block, with line breaks, in at most `max` bytes. All values that are not firm get
 * the same bound, the highest by which the block fits.
 */
export function fitted(lines: readonly LabelledLine[], max: number): string {
  const values = lines.map((line) => ({ ...line, value: new OneLine(line) }));
  const textBy = (bound: number) =>
    values.map(({ label, firm, value }) => `${label}: ${value.within(firm ?? bound)}\n`).join('');
  let [low, high] = [MIN_VALUE_BYTES, max];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (Buffer.byteLength(textBy(middle)) <= max) low = middle;
    else high = middle;
  }
  return textBy(low);
}
