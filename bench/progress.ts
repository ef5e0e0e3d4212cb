/** What is being done, on standard error: one line that is written over on a terminal, a line now and then anywhere else. */
import type { Writable } from 'node:stream';

export type Progress = { say(text: string): void; end(): void };

/** Without a terminal a line each this many milliseconds. */
const LINE_EVERY = 15_000;
const TERMINAL_EVERY = 100;

/** @param now the time in milliseconds, of any origin */
export function showProgress(stream: Writable & { isTTY?: boolean }, now: () => number): Progress {
  const begun = now();
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    say(text) {
      const time = now();
      if (time - shownAt < (stream.isTTY ? TERMINAL_EVERY : LINE_EVERY)) return;
      shownAt = time;
      const seconds = Math.round((time - begun) / 1_000);
      const line = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} ${text}`;
      stream.write(stream.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
    },
    end: () => void (stream.isTTY && stream.write('\r\x1b[2K')),
  };
}
