/** The command line of a tool of this project. */
import { Command } from 'commander';
import { packageVersion } from './program-name.ts';

/** Exit code of a program whose command line cannot be used. */
export const UNUSABLE_COMMAND_LINE = 2;

/**
 * A command with `--version` that ends the process by itself when it cannot be used as it was typed.
 * @param name as the user types it, such as `npm run clock --`
 */
export function toolCommand(name: string): Command {
  return new Command(name)
    .version(packageVersion(), '--version', 'print the version')
    .allowExcessArguments(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : UNUSABLE_COMMAND_LINE));
}
