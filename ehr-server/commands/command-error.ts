/** The errors of a command: one sentence for people, and an exit code for scripts. */

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

/** The code of an error from SQLite or the file system. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
