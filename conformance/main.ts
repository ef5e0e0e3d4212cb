/** Starts the command line of the conformance kit, with every role that the kit can judge. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from './engine/cli/command-line.ts';
import { roles } from './roles/index.ts';

/**
 * The file by which the kit starts itself again as another process: the built file of this module, or the
 * module itself where nothing was built. The module itself always exists, so one of the two is found.
 */
const PROGRAM = [new URL('../dist/bin/ehr-conformance.js', import.meta.url), new URL(import.meta.url)]
  .map((address) => fileURLToPath(address))
  .find((file) => existsSync(file)) as string;

process.exit(await runCommandLine(process.argv, roles, PROGRAM));
