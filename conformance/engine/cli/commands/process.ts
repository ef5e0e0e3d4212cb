/** How a command stands in its process: signals, questions on the terminal, errors with their exit codes. */
import { constants } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { CommanderError } from 'commander';
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import { SettingsError } from '#service/process/command-line/settings.ts';
import { isOfSystem } from '#service/process/files/writing.ts';
import { EXIT } from '../../check/verdict.ts';
import { harmless, inOneLine } from '../../harmless.ts';
import { InputError } from '../../input-error.ts';
import { AdapterFileError } from '../../party/file/problem.ts';
import { ServerStartError } from '../../party/process/server-process.ts';
import { tellStop } from '../../report/ci/github.ts';
import type { Opening } from '../../role.ts';

/** Throws an error about the user's set-up as an InputError, and any other error again. */
export function stopNotSetUp(error: unknown): never {
  const isOfSetUp =
    error instanceof AdapterFileError ||
    error instanceof ServerStartError ||
    error instanceof SettingsError ||
    (error instanceof Error && error.message.startsWith('Failed to listen'));
  if (!isOfSetUp) throw error;
  throw new InputError(`Not set up.\n${error.message}`, { cause: error });
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** What ends a whole group, such as `timeout`, and then the end of the parent tell this program twice (ms). */
const ONE_REQUEST_MS = 500;

/** Returns a signal that aborts on the first Ctrl-C or kill. A later one ends the program at once. */
export function breakable(clock: Pick<Clock, 'now'> = systemClock): AbortSignal {
  const controller = new AbortController();
  let askedAt = 0;
  for (const name of ENDING)
    process.on(name, () => {
      if (!controller.signal.aborted) askedAt = clock.now();
      else if (clock.now() - askedAt >= ONE_REQUEST_MS) process.exit(exitCodeOf(name));
      controller.abort(new BrokenOff(name));
    });
  return controller.signal;
}

export class BrokenOff extends Error {
  override name = 'BrokenOff';
  override message = 'The run was broken off.';
  readonly exitCode: number;
  constructor(signal: (typeof ENDING)[number]) {
    super();
    this.exitCode = exitCodeOf(signal);
  }
}

const exitCodeOf = (signal: (typeof ENDING)[number]): number => 128 + constants.signals[signal];

export function brokenOffCode({ reason }: AbortSignal): number {
  return reason instanceof BrokenOff ? reason.exitCode : exitCodeOf('SIGINT');
}

/** Asks the user a question on the terminal; returns undefined when there is no terminal. */
export const ask: Opening['ask'] = async (question, signal) => {
  if (!process.stdin.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(`${question} `, { signal });
  } finally {
    terminal.close();
  }
};

export function tell(sentence: string): void {
  process.stderr.write(`\n>> ${inOneLine(sentence)}\n`);
}

/** Names of the errors that the user can correct: to import the class of each would load a database. */
const USER_ERRORS: ReadonlySet<string> = new Set([
  'InputError',
  'AdapterFileError',
  'SqliteUnavailable',
  'SettingsError',
]);

/** Writes what happened to standard error. Returns the exit code: never 1, which means "not conformant". */
export function exitCodeFor(error: unknown): number {
  // The parser of the command line has written its own message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conformant : EXIT.notSetUp;
  const { text, exitCode } = explained(error);
  process.stderr.write(`${harmless(text)}\n`);
  tellStop({ error, text, exitCode });
  return exitCode;
}

function explained(error: unknown): { text: string; exitCode: number } {
  if (error instanceof BrokenOff) return { text: 'Interrupted.', exitCode: error.exitCode };
  if (!(error instanceof Error)) return { text: `${FAULT}\n${String(error)}`, exitCode: EXIT.harnessFault };
  if (USER_ERRORS.has(error.name)) return { text: error.message, exitCode: EXIT.notSetUp };
  if (isOfSystem(error))
    return { text: `The system refused something to the kit: ${error.message}.`, exitCode: EXIT.notSetUp };
  return { text: `${FAULT}\n${error.stack ?? error.message}`, exitCode: EXIT.harnessFault };
}

const FAULT = 'A fault of the kit itself, not of your server. Please report it.';
