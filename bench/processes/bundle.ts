/** The programs that are measured, one file each, so that nobody pays for a loader at run time: the EHR server as `npm run build` makes it, the others alike. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** The programs of the bench itself by the name of their bundle. */
const programs = {
  load: 'bench/load/main.ts',
  probe: 'bench/peers/probe.ts',
  bare: 'bench/peers/bare.ts',
  express: 'bench/peers/express.ts',
  jayson: 'bench/peers/jayson.ts',
  'json-rpc': 'bench/peers/json-rpc.ts',
  'oauth-tokens': 'bench/peers/oauth-tokens.ts',
  listening: 'bench/peers/listening.ts',
} as const;

export type Program = keyof typeof programs | 'ehr';

/** Finds the bundle of a program. */
export type Bundles = (program: Program) => string;

/**
 * Bundles every program; `directory`, for those of the bench, must be inside the project, where the compiled modules
 * are found.
 */
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
    // Packages in the old module format ask for others by `require`, which a module in the new one does not have.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  });
  return (program) => (program === 'ehr' ? ehr : join(directory, `${program}.mjs`));
}

type Builder = { builtProgram(root: string, main: string): Promise<string | undefined> };

/** The file that whoever starts the server runs, built anew where its sources have changed. */
async function builtServer(root: string): Promise<string> {
  const builder = pathToFileURL(join(root, 'scripts', 'build', 'built-program.mjs')).href;
  const { builtProgram } = (await import(builder)) as Builder;
  const file = await builtProgram(root, 'ehr-server/main.ts');
  if (file === undefined) throw new Error('Failed to measure: the EHR server is none of the programs that are built.');
  return file;
}
