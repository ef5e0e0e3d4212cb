import { type Command, InvalidArgumentError } from 'commander';
import { entryOf, type RoleEntry } from '../role.ts';
import { type Ends, number, portOption } from './options.ts';

/** Adds the command. It learns about a party of the first role. */
export function addLearn(command: Command, roles: readonly RoleEntry[], ends: Ends): void {
  command
    .command('learn [file]')
    .description('write a file about your server from what your own client sends to it once')
    .requiredOption('--server <url>', 'address of the server, which this command stands before', webAddress)
    .addOption(portOption('--port', 'where your client finds the server meanwhile', 4190))
    .option('--for-seconds <number>', 'end the recording by itself', number('--for-seconds', 1, 86_400))
    .option('--no-doctor', 'do not run the doctor on the file that was written')
    .option('--force', 'write over a file that exists', false)
    .action(async (file: string | undefined, options) => {
      const { learn } = await import('./commands/learn.ts');
      ends(await learn({ ...options, file }, await entryOf(roles, undefined).load()));
    });
}

function webAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError(
      '--server must be an http or https address, such as http://127.0.0.1:8080.',
    );
  return text;
}
