/** `npm run interop`: plays the flows over every combination of the listed parties, and writes the matrix. */
import { programName } from '#service/process/command-line/program-name.ts';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import type { InteropOptions } from './run.ts';

const command = toolCommand(programName('interop'))
  .description(
    'Plays the end-to-end flows over every combination of the listed parties, and tells who works with whom.',
  )
  .argument('<file>', 'the list of the parties, such as conformance/examples/interop.yaml')
  .argument('[flows...]', 'only the flows of these names')
  .option('--report <directory>', 'where matrix.md, matrix.html and matrix.json go', 'test-results/interop')
  .option('--markdown <file>', 'writes the Markdown to this file, too')
  .addHelpText('after', '\nExit codes: 0 all work with each other, 1 some do not, 2 used wrongly.')
  .parse();

const [file = '', ...names] = command.args;
// Loads the kit, which the help does not need.
const { interop } = await import('./run.ts');
process.exitCode = await interop(file, names, command.opts<InteropOptions>());
