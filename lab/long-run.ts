/** How the commands of the long runs end: by themselves, by a signal, or because something failed. */

export const EXIT_CODES = '2 wrong flags, 3 the run could not be made, 130 interrupted.';

const EXIT = { held: 0, broken: 1, failed: 3, interrupted: 130 } as const;

/**
 * Runs, and ends the process: pending work of a stopped run must not keep it alive. The exit code is 0 when
 * everything held.
 * @param run aborted by SIGINT, SIGTERM and SIGHUP; resolves to whether everything held
 */
export async function endWith(run: (signal: AbortSignal) => Promise<boolean>): Promise<never> {
  const { signal } = interrupted();
  try {
    process.exit((await run(signal)) ? EXIT.held : EXIT.broken);
  } catch (error) {
    const why = signal.aborted ? 'Interrupted; nothing was left behind.' : (error as Error).message;
    process.stderr.write(`${why}\n`);
    process.exit(signal.aborted ? EXIT.interrupted : EXIT.failed);
  }
}

/** Returns a controller that the signals which end a program abort. */
export function interrupted(): AbortController {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort());
  return interrupt;
}
