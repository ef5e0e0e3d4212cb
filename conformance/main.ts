/** The command line of the conformance kit. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from './engine/cli/command-line.ts';
import { roles } from './roles/index.ts';

/** The built file of this module, or the module itself where nothing was built. */
const PROGRAM = [new URL('../dist/bin/ehr-conformance.js', import.meta.url), new URL(import.meta.url)]
  .map((address) => fileURLToPath(address))
  .find((file) => existsSync(file)) as string;

process.exit(await runCommandLine(process.argv, roles, PROGRAM));
