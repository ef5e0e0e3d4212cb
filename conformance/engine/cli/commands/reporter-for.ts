/** Chooses what writes to standard output, by the option `--format`. */
import { commandLine } from '#service/process/command-line/program-name.ts';
import { agentReporter } from '../../report/agent/agent.ts';
import { consoleReporter } from '../../report/terminal/console.ts';
import type { Reporter } from '../../report/terminal/reporter.ts';
import type { Format } from '../formats.ts';

/** What a command that plays one check alone is made of. */
type PlayedBy = {
  role: string;
  /** The file about the party; a word in its place where a saved run does not name it. */
  config?: string | undefined;
  seed: number;
  slow?: boolean;
  /** How the result is told; for a program unless given. */
  format?: Format;
};

/** Creates the reporter of a run. `total` is the number of scenarios to be played, if known. */
export function reporterFor(format: Format, { play, total }: { play: PlayedBy; total?: number }): Reporter {
  const screen = process.stdout;
  if (format === 'terminal')
    return consoleReporter({ screen, env: process.env, ...(total !== undefined && { total }) });
  return agentReporter({ screen, aside: process.stderr, playAlone: (check) => commandFor(check, play) });
}

/** The command that plays a check alone, to be typed into a shell. */
export function commandFor(
  check: string,
  { role, config = 'FILE', seed, slow = false, format = 'agent' }: PlayedBy,
): string {
  const words = ['--config', config, '--seed', String(seed), ...(slow ? ['--slow'] : []), '--only', check];
  const told = format === 'terminal' ? [] : ['--format', format];
  return commandLine('conformance', [role, ...words, ...told].map(word).join(' '));
}

/** A word for a shell. What could mean something to it stands in single quotes. */
const word = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
