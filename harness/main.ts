/** `embedded-ehr-harness`: runs every program of an installed package as a subcommand. */
import { endWithParent } from '#scripts/set-up/end-with-parent.mjs';
import { HARNESS } from '#service/process/command-line/program-name.ts';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { subcommands } from './subcommands.ts';

if (process.env.npm_lifecycle_event !== undefined) endWithParent();

// `help demo` is `demo --help`.
if (process.argv[2] === 'help') process.argv.splice(2, 2, ...process.argv.slice(3, 4), '--help');

const asked = Object.values(subcommands)
  .flat()
  .find(({ name }) => name === process.argv[2]);
if (asked) {
  // The program finds its own flags behind the name of this command.
  process.argv.splice(2, 1);
  await import(new URL(`../dist/bin/${asked.file}.js`, import.meta.url).href);
} else {
  const program = toolCommand(HARNESS)
    .description('The three parties of the Embedded EHR Storage Interface, and what tests them.')
    .usage('<command> [options]')
    .helpCommand(false)
    .addHelpText('after', `\nBegin with: ${HARNESS} demo\nOptions of a command: ${HARNESS} demo --help`);
  for (const [group, members] of Object.entries(subcommands))
    for (const { name, about } of members)
      program.command(name).description(about).usage(' ').helpGroup(group);
  program.parse();
}
