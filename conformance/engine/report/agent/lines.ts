/** Fits labelled lines into a limit of bytes: the longest are cut, those most that can be looked up. */
import { type LineText, OneLine } from './quote.ts';

/**
 * One line. `firm`: its value keeps up to so many bytes, whatever the others need. `soft`: it may be cut
 * shorter than the others, as the report has it whole.
 */
export type LabelledLine = LineText & { label: string; firm?: number; soft?: boolean };

/** Every value keeps so many bytes. All lines of a block together stay within its limit by it. */
const MIN_VALUE_BYTES = 52;
/** How many times as long as a soft value another may be. */
const HARDNESS = 3;

/**
 * Returns the lines of a block, with line breaks, in at most `max` bytes. All soft values get the same bound,
 * the highest by which the block fits, and all others that are not firm get three times as much.
 */
export function fitted(lines: readonly LabelledLine[], max: number): string {
  const values = lines.map((line) => ({ ...line, value: new OneLine(line) }));
  const textBy = (bound: number) =>
    values
      .map(({ label, firm, soft, value }) => {
        const own = Math.max(MIN_VALUE_BYTES, soft ? bound : bound * HARDNESS);
        return `${label}: ${value.within(firm ?? own)}\n`;
      })
      .join('');
  let [low, high] = [0, max];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (Buffer.byteLength(textBy(middle)) <= max) low = middle;
    else high = middle;
  }
  return textBy(low);
}
