/** `embedded-ehr-harness mcp`: the kit as tools for a coding agent, by the Model Context Protocol. */
import { programName } from '#service/process/command-line/program-name.ts';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { breakable } from '../engine/cli/commands/common.ts';

toolCommand(programName('mcp'))
  .description(
    'A server of the Model Context Protocol on standard input and output: judges servers and clients for a coding agent.\nTools: doctor, judge, causes, explain, flow, case, rerun. All paths stay in the folder that it is started in.',
  )
  .addHelpText('after', '\nA client starts it and ends it. AGENTS.md shows how to set it up.')
  .parse();

const { serve } = await import('./serve.ts');
const { stdin: input, stdout: output } = process;
await serve({ input, output, signal: breakable(), directory: process.cwd() });
process.exit(0);
