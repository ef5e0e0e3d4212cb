/** The options of the command line that say what makes a run fail. */
import { type Command, Option } from 'commander';
import type { Demands } from '../check/verdict.ts';

export function addDemands(command: Command): Command {
  return command
    .addOption(
      new Option('--gate <part>', 'fail by a broken interface alone, or by an essential weakness too')
        .choices(['interface', 'safety'])
        .default('safety'),
    )
    .option('--strict', 'count recommendations too', false);
}

export const demandsOf = ({ gate, strict }: Demands): Demands => ({ gate, strict });
