/** The options of the command line about known failures. */
import type { Command } from 'commander';

/** What the user wants of files of known failures. */
export type BaselineOptions = {
  /** The file whose failures do not make the run fail. */
  baseline?: string | undefined;
  /** Whether entries whose check passes now are taken off that file. */
  baselinePrune?: boolean | undefined;
  /** The file that gets an entry for each red check. */
  baselineWrite?: string | undefined;
  /** The reason in these entries. */
  reason?: string | undefined;
  /** The last day of these entries. */
  until?: string | undefined;
};

/** Adds the options about known failures. */
export function addBaseline(command: Command): Command {
  return command
    .option('--baseline <file>', 'known failures that do not break the run')
    .option(
      '--baseline-prune',
      'take off that file what passes now, which then does not break the run',
      false,
    )
    .option('--baseline-write <file>', 'list there as a known failure what is red and not listed yet')
    .option('--reason <text>', 'with --baseline-write: why it is accepted; asked for unless given')
    .option('--until <day>', 'with --baseline-write: its last day; asked for unless given');
}
