/** Finds the programs of this project that the example files start. */
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('../../', import.meta.url);
const builder = new URL('scripts/build/built-program.mjs', root);

/**
 * Resolves to the address of a program's file. A clone of the repository has the builder, which builds the
 * program from its main file `source` first; a package has the built file `built` alone.
 */
export async function ownProgram(source, built) {
  if (!existsSync(builder)) return new URL(`dist/bin/${built}.js`, root).href;
  const { builtProgram } = await import(builder.href);
  return pathToFileURL(await builtProgram(fileURLToPath(root), source)).href;
}
