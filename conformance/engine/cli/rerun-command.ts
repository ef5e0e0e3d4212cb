/** Defines the command `rerun` and its options. */
import { type Command, Option } from 'commander';
import type { RoleEntry } from '../role.ts';
import { type Ends, givenSeedOption, number } from './options.ts';

/** Adds the command. */
export function addRerun(command: Command, roles: readonly RoleEntry[], ends: Ends): void {
  command
    .command('rerun [report]')
    .description('play only what was red in a report.json again, conformance-report/report.json unless given')
    .option('--config <file>', 'file about the party; the one that the report names unless given')
    .option(
      '--report <directory>',
      'write reports of this part there; none are written unless given, and the old one stays',
    )
    .addOption(givenSeedOption('another seed than that of the report'))
    .addOption(
      new Option('--watch', 'play again whenever the server is back after a restart, until Ctrl-C')
        .default(false)
        .conflicts('untilGreen'),
    )
    .option('--until-green', 'play again after a pause of two seconds, until nothing is red', false)
    .option(
      '--for-seconds <number>',
      'with either of these: begin no round after this time',
      number('--for-seconds', 1, 86_400),
    )
    .option('--slow', 'wait in real time for the clock of an EHR server that cannot be moved', false)
    .action(async (report = 'conformance-report/report.json', options) => {
      const { rerun } = await import('./commands/rerun.ts');
      ends(await rerun(report, options, roles));
    });
}
