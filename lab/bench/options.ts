/** The command line of the benchmarks. */

import { Command, CommanderError } from 'commander';
import { packageVersion, seeHelp } from '#service/process/program-name.ts';
import type { Group } from './bench.ts';

export type Options = {
  quick: boolean;
  /** Ids of groups. Empty: all groups. */
  only: string[];
  clean: boolean;
  postgres: string | undefined;
};

/** The command line is invalid. The message says what was given and what is allowed. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/**
 * Reads the flags. Returns undefined when `--help` was printed.
 * @throws UsageError
 */
export function readOptions(argv: readonly string[], groups: readonly Group[]): Options | undefined {
  const command = new Command('npm run bench --')
    .version(packageVersion(), '--version', 'print the version')
    .description('Measures the EHR server against bare node:http and against its peers, interleaved, in one run.')
    .option('--quick', 'two minutes instead of half an hour: smaller sizes, fewer rounds; writes no document')
    .option('--only <groups>', 'comma-separated groups of measurements; writes no document')
    .option(
      '--postgres <url>',
      'the PostgreSQL server to measure on, in a database made for it and dropped; absent: one that is started for it',
    )
    .option('--clean', 'remove the databases that earlier runs have built, and do nothing else')
    .addHelpText('after', epilogue(groups))
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  try {
    command.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw new UsageError(`${error.message.replace(/^error: /, '')}\n${seeHelp('npm run bench --')}`, { cause: error });
  }
  const {
    quick = false,
    only,
    postgres,
    clean = false,
  } = command.opts<{
    quick?: true;
    only?: string;
    postgres?: string;
    clean?: true;
  }>();
  return { quick, clean, postgres, only: readGroups(only, groups) };
}

function readGroups(text: string | undefined, groups: readonly Group[]): string[] {
  if (text === undefined) return [];
  const ids = text.split(',').map((id) => id.trim());
  const unknown = ids.find((id) => !groups.some((group) => group.id === id));
  if (unknown === undefined) return ids;
  throw new UsageError(
    `There is no group "${unknown}". Those there are: ${groups.map(({ id }) => id).join(', ')}.\n${seeHelp('npm run bench --')}`,
  );
}

function epilogue(groups: readonly Group[]): string {
  const width = Math.max(...groups.map(({ id }) => id.length));
  const list = groups.map(({ id, about }) => `  ${id.padEnd(width)}  ${about}`).join('\n');
  return `
Groups:
${list}

Everything that is promised of the speed is judged at the end: met or missed; the exit code is 1 when one is missed.
The databases are built once and kept in .data/bench (about 10 GB). A whole run writes docs/benchmarks.md,
docs/benchmarks.json and docs/images/benchmarks.svg; every run writes .data/bench/last.json and last.svg.
Leave the machine alone while it measures.

Examples:
  npm run bench
  npm run bench -- --quick
  npm run bench -- --only get-patient,saves
`;
}
