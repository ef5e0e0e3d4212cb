/** Defines the command `self-test` and its options. */
import type { Command } from 'commander';
import { entryOf, type RoleEntry } from '../role.ts';
import { type Ends, number, roleOption, seedOption } from './options.ts';

/** Adds the command. */
export function addSelfTest(command: Command, roles: readonly RoleEntry[], ends: Ends): void {
  command
    .command('self-test')
    .description('prove the kit on parties whose faults are known')
    .addOption(seedOption('seed'))
    .option('--part <number>', 'with --of: which part, counted from 0', number('--part', 0, 99))
    .option('--of <number>', 'play only every n-th variant', number('--of', 1, 100))
    .option(
      '--only <text>',
      'only variants whose id has this in it; with --pairs: or the two ids of one pair, as A,B',
    )
    .option('--json <file>', 'write the rows and the score there')
    .addOption(roleOption(roles, 'whose checks to prove'))
    .option(
      '--pairs [number]',
      'play pairs of defects in one authorization server instead, 200 unless given',
      number('--pairs', 1, 10_000),
    )
    .option(
      '--whole',
      'play whole runs against drawn defects, and tell which cause the reports name first',
      false,
    )
    .option('--sample <number>', 'with --whole: how many defects are drawn', number('--sample', 1, 1_000), 20)
    .action(async ({ part, of, role: id, whole, sample, pairs, ...options }) => {
      const { runPairs, runSelfTest, runWhole } = await import('./commands/self-test/self-test.ts');
      const role = await entryOf(roles, id).load();
      const share = of !== undefined && { share: { part: part ?? 0, of } };
      if (whole) ends(await runWhole(role, { ...options, sample }));
      else if (pairs !== undefined)
        ends(await runPairs(role, { ...options, pairs: pairs === true ? DEFAULT_PAIRS : pairs }));
      else ends(await runSelfTest(role, { ...options, ...share }));
    });
}

const DEFAULT_PAIRS = 200;
