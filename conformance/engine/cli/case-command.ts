/** Defines the command `case` and its options. */
import { type Command, Option } from 'commander';
import type { RoleEntry } from '../role.ts';
import { type Ends, givenSeedOption } from './options.ts';

/** Adds the command. */
export function addCase(command: Command, roles: readonly RoleEntry[], ends: Ends): void {
  command
    .command('case <check> [report]')
    .description('write one failing check as a script that needs nothing but Node, or curl')
    .option(
      '--config <file>',
      'file about the party; the one that the report names unless given, which is conformance-report/report.json',
    )
    .addOption(
      new Option('--role <role>', 'which party it is about; as the report says, or the check').choices(
        roles.map(({ id }) => id),
      ),
    )
    .option('--out <file>', 'where the script goes; named after the check unless given')
    .addOption(givenSeedOption('another seed than that of the report, or than 1'))
    .action(async (check: string, report: string | undefined, options) => {
      const { tellCase } = await import('./commands/case.ts');
      ends(await tellCase(check, { report, ...options }, roles));
    });
}
