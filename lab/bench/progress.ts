/**
 * Shows progress on standard error: one line that is overwritten on a terminal, a line now and then
 * elsewhere.
 */
import type { Writable } from 'node:stream';

export type Progress = { log(text: string): void; end(): void };

/** Time (ms) between two lines without a terminal. */
const LINE_INTERVAL_MS = 15_000;
const TERMINAL_INTERVAL_MS = 100;

/** Creates the display. @param now returns the time in milliseconds, of any origin */
export function showProgress(stream: Writable & { isTTY?: boolean }, now: () => number): Progress {
  const begun = now();
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    log(text) {
      const time = now();
      if (time - shownAt < (stream.isTTY ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS)) return;
      shownAt = time;
      const seconds = Math.round((time - begun) / 1_000);
      const line = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} ${text}`;
      stream.write(stream.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
    },
    end: () => void (stream.isTTY && stream.write('\r\x1b[2K')),
  };
}
