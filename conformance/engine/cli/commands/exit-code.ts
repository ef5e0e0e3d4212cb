/** Tells the user about an error that ends the program, and chooses its exit code. */
import { CommanderError } from 'commander';
import { isOfSystem } from '#service/process/files/writing.ts';
import { EXIT } from '../../check/verdict.ts';
import { tellStop } from '../../report/ci/github.ts';
import { BrokenOff, Stop } from './common.ts';

/**
 * Names of the errors that the user can correct. Names and not classes: to import the classes would load the
 * modules of every command.
 */
const USER_ERRORS: ReadonlySet<string> = new Set([
  'InitError',
  'InitStopped',
  'InputError',
  'AdapterFileError',
  'BaselineError',
  'SqliteUnavailable',
  'SettingsError',
]);

/**
 * Writes what happened to standard error.
 * @returns the exit code; never 1, which means "not conformant", unless the error itself carries it
 */
export function exitCodeFor(error: unknown): number {
  // The parser of the command line has written its own message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conformant : EXIT.notSetUp;
  const { text, exitCode } = explained(error);
  process.stderr.write(`${text}\n`);
  tellStop({ error, text, exitCode });
  return exitCode;
}

function explained(error: unknown): { text: string; exitCode: number } {
  if (error instanceof BrokenOff) return { text: 'Interrupted.', exitCode: error.exitCode };
  if (error instanceof Stop) return { text: error.message, exitCode: error.exitCode };
  if (!(error instanceof Error)) return { text: `${FAULT}\n${String(error)}`, exitCode: EXIT.harnessFault };
  if (USER_ERRORS.has(error.name)) return { text: error.message, exitCode: EXIT.notSetUp };
  if (isOfSystem(error))
    return { text: `The system refused something to the kit: ${error.message}.`, exitCode: EXIT.notSetUp };
  return { text: `${FAULT}\n${error.stack ?? error.message}`, exitCode: EXIT.harnessFault };
}

const FAULT = 'A fault of the kit itself, not of your server. Please report it.';
