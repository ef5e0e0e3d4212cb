/** Tells the user about an error that ends the program, and chooses its exit code. */
import { CommanderError } from 'commander';
import { isOfSystem } from '#service/process/files/writing.ts';
import { EXIT } from '../../check/verdict.ts';
import { BrokenOff, Stop } from './common.ts';

/**
 * Errors that the user can correct. Listed by name, so that a command's modules load only when it is used.
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
 * @returns the exit code, which is never one of a verdict unless the error carries it
 */
export function exitCodeFor(error: unknown): number {
  // Commander has written its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conformant : EXIT.notSetUp;
  if (error instanceof BrokenOff) return tell('Interrupted.', error.exitCode);
  if (error instanceof Stop) return tell(error.message, error.exitCode);
  if (!(error instanceof Error)) return tell(`${FAULT}\n${String(error)}`, EXIT.harnessFault);
  if (USER_ERRORS.has(error.name)) return tell(error.message, EXIT.notSetUp);
  if (isOfSystem(error))
    return tell(`The system refused something to the kit: ${error.message}.`, EXIT.notSetUp);
  return tell(`${FAULT}\n${error.stack ?? error.message}`, EXIT.harnessFault);
}

const FAULT = 'A fault of the kit itself, not of your server. Please report it.';

function tell(sentence: string, exitCode: number): number {
  process.stderr.write(`${sentence}\n`);
  return exitCode;
}
