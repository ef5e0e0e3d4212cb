/** The output of a command, which notices when the reader is gone (`| head`). */
import type { Clock } from '#protocol/time/clock.ts';
import { codeOf } from './command-error.ts';

export type Output = NodeJS.WritableStream & { isTTY?: boolean };

/** The parts that a command needs besides its flags. */
export type CommandParts = {
  /** Results. */
  out: Output;
  /** Progress and errors. */
  err: Output;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Interrupts the command. */
  signal: AbortSignal;
};

/** The other end of the pipe was closed. This is no failure, and there is nothing left to do. */
export class ReaderGone extends Error {
  override name = 'ReaderGone';
}

/**
 * Write a text and wait until the stream has taken it.
 * @throws ReaderGone when the other end of the pipe is closed
 */
export function write(out: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    out.write(text, (error?: Error | null) => {
      if (!error) resolve();
      else reject(codeOf(error) === 'EPIPE' ? new ReaderGone('nobody reads', { cause: error }) : error);
    });
  });
}
