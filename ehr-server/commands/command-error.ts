/** How a command fails: in one sentence for people, with an exit code that a script can tell apart. */

/** Exit codes: done, failed, used wrongly, interrupted. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** What was asked for cannot be done; the message says what was given and what to do. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, { cause, exitCode = EXIT.failed }: { cause?: unknown; exitCode?: number } = {}) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/**
 * The person has pressed Ctrl-C, or the system has asked the process to end; the message says what has become
 * of the work.
 */
export class Interrupted extends CommandError {
  constructor(message: string) {
    super(message, { exitCode: EXIT.interrupted });
  }
}

/** What an error says, in its own words. */
export function factOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of an error of SQLite or the file system. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
