/** Starts the built EHR server for ehr-server.yaml, with the personas. A clone builds it first. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('../../', import.meta.url);
const builder = new URL('scripts/build/built-program.mjs', root);

/** The built file of a program: of the clone where it has its sources, of the package otherwise. */
async function programFile(source, built) {
  if (!existsSync(builder)) return fileURLToPath(new URL(`dist/bin/${built}.js`, root));
  return (await import(builder.href)).builtProgram(fileURLToPath(root), source);
}

if (!existsSync(process.env.EHR_DATABASE)) {
  const fixtures = await programFile('mis-fixtures/main.ts', 'ehr-fixtures');
  const options = ['--patients', '0', '--database', process.env.EHR_DATABASE];
  execFileSync(process.execPath, [fixtures, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
}
await import(pathToFileURL(await programFile('ehr-server/main.ts', 'ehr-server')).href);
