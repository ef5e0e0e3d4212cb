/** The command line of a tool of this project. */
import { Command } from 'commander';
import { packageVersion } from './program-name.ts';

/** The exit code of a program whose command line cannot be used. */
export const UNUSABLE_COMMAND_LINE = 2;

/**
 * Create a command with `--version` that ends the process when its command line cannot be used.
 * @param name the command that the user types, such as `npm run clock --`
 */
export function toolCommand(name: string): Command {
  return new Command(name)
    .version(packageVersion(), '--version', 'print the version')
    .allowExcessArguments(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : UNUSABLE_COMMAND_LINE));
}
