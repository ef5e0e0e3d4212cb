/** Bundles each measured program as `npm run build` does, so that no loader costs time at run time. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { builtProgram } from '#scripts/build/built-program.mjs';

const programs = {
  load: 'lab/bench/load/main.ts',
  bare: 'lab/bench/peers/bare.ts',
  express: 'lab/bench/peers/express.ts',
} as const;

export type BenchProgram = keyof typeof programs | 'ehr';

export type Bundles = (program: BenchProgram) => string;

/** `directory` must be inside the project, where the compiled modules are found. */
export async function bundle(root: string, directory: string): Promise<Bundles> {
  const ehr = await builtServer(root);
  await build({
    absWorkingDir: root,
    entryPoints: { ...programs },
    outdir: directory,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['pg-native'],
    // CommonJS packages load others by `require`, which an ES module does not have.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  });
  return (program) => (program === 'ehr' ? ehr : join(directory, `${program}.mjs`));
}

/** Returns the built file that users of the server run, rebuilt when its sources have changed. */
async function builtServer(root: string): Promise<string> {
  const file = await builtProgram(root, 'ehr-server/main.ts');
  if (file === undefined)
    throw new Error('Failed to measure: the EHR server is none of the programs that are built.');
  return file;
}
