/** The options of the command line that say what makes a run fail. */
import { type Command, Option } from 'commander';
import type { Demands } from '../check/verdict.ts';

/** Adds the options that say what makes a run fail. */
export function addDemands(command: Command): Command {
  return command
    .addOption(
      new Option('--gate <part>', 'fail by a broken interface alone, or by an essential weakness too')
        .choices(['interface', 'safety'])
        .default('safety'),
    )
    .option('--strict', 'count recommendations too', false);
}

/** Gathers the options of {@link addDemands}. */
export const demandsOf = ({ gate, strict }: Demands): Demands => ({ gate, strict });
