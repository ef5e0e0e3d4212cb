/** The command line of a tool of this project. */
import { Command, InvalidArgumentError } from 'commander';
import { packageVersion, seeHelp } from './program-name.ts';
import { SettingsError, UNUSABLE_COMMAND_LINE } from './settings.ts';

/**
 * Create a command with `--version` that ends the process when its command line cannot be used.
 * @param name the command that the user types, such as `npm run clock --`
 */
export function toolCommand(name: string): Command {
  return new Command(name)
    .version(packageVersion(), '--version', 'print the version')
    .allowExcessArguments(false)
    .showHelpAfterError(seeHelp(name))
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : UNUSABLE_COMMAND_LINE));
}

/**
 * Write why a tool failed: with the way to help, when it cannot use what was typed.
 * @returns the exit code
 */
export function tellFailure(name: string, error: unknown): number {
  const unusable = error instanceof SettingsError;
  process.stderr.write(`${(error as Error).message}\n${unusable ? `${seeHelp(name)}\n` : ''}`);
  return unusable ? UNUSABLE_COMMAND_LINE : 1;
}

/** Parse a whole number from `min` to `max`, for commander's `argParser`. */
export function wholeNumberArgument(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,16}$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}
