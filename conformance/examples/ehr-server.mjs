/**
 * Starts the EHR server of this project for `ehr-server.yaml`, with the personas as patients. A clone of the
 * repository builds the program first; a package contains it built.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('../../', import.meta.url);
const builder = new URL('scripts/build/built-program.mjs', root);

/** The built file of a program. `source` is its main file in a clone, `built` its name in a package. */
async function programFile(source, built) {
  if (!existsSync(builder)) return fileURLToPath(new URL(`dist/bin/${built}.js`, root));
  return (await import(builder.href)).builtProgram(fileURLToPath(root), source);
}

// The database of patients is made once: the personas, and nobody else.
if (!existsSync(process.env.EHR_DATABASE)) {
  const fixtures = await programFile('mis-fixtures/main.ts', 'ehr-fixtures');
  const options = ['--patients', '0', '--database', process.env.EHR_DATABASE];
  execFileSync(process.execPath, [fixtures, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
}
await import(pathToFileURL(await programFile('ehr-server/main.ts', 'ehr-server')).href);
