/** Defines the command `self-test` and its options. */
import { type Command, Option } from 'commander';
import { entryOf, type RoleEntry } from '../role.ts';
import { type Ends, seedOption } from './options.ts';

export function addSelfTest(command: Command, roles: readonly RoleEntry[], ends: Ends): void {
  const ids = roles.map(({ id }) => id);
  command
    .command('self-test')
    .description('prove the kit on parties whose faults are known')
    .addOption(new Option('--role <role>', 'whose checks to prove; of all unless given').choices(ids))
    .option('--only <text>', 'only variants whose id has this in it')
    .addOption(seedOption('seed'))
    .action(async ({ role, ...options }) => {
      const { runSelfTest } = await import('./commands/self-test.ts');
      ends(await runSelfTest(role === undefined ? roles : [entryOf(roles, role)], options));
    });
}
