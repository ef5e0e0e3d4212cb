/** Runs a command as a process: signals in, exit code out. */
import { systemClock } from '#protocol/time/clock.ts';
import { runCommand } from './run.ts';

/** Run the command line and set the exit code of the process, which ends when nothing is left to do. */
export async function runCommandProcess(argv: readonly string[]): Promise<void> {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort());
  process.exitCode = await runCommand(argv, {
    out: process.stdout,
    err: process.stderr,
    env: process.env,
    clock: systemClock,
    signal: interrupt.signal,
  });
}
