/** What all commands share: their errors, with an exit code for scripts, and their output. */
import type { Clock } from '#protocol/time/clock.ts';
import { codeOf } from '#service/process/files/writing.ts';

/** Exit codes: done, failed, used wrongly, interrupted. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** The command cannot be executed. The message says what was given and what to do. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitCode: number;

  constructor(
    message: string,
    { cause, exitCode = EXIT.failed }: { cause?: unknown; exitCode?: number } = {},
  ) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/**
 * The user has pressed Ctrl-C, or the system ends the process. The message says what has become of the work.
 */
export class Interrupted extends CommandError {
  constructor(message: string) {
    super(message, { exitCode: EXIT.interrupted });
  }
}

/** The message of an error. */
export function factOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

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
 * Write a text and wait until the stream has taken it. It notices when the reader is gone (`| head`).
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
