/** Starts the command line of the conformance kit, with every role that the kit can judge. */
import { runCommandLine } from './engine/cli/command-line.ts';
import { roles } from './roles/index.ts';

process.exit(await runCommandLine(process.argv, roles));
