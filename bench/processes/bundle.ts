/** Bundling the programs that are measured: all alike, one file each, so that no one pays for a loader at run time. */
import { join } from 'node:path';
import { build } from 'esbuild';

/** The programs by the name of their bundle. */
export const programs = {
  ehr: 'ehr-server/main.ts',
  load: 'bench/load/main.ts',
  probe: 'bench/peers/probe.ts',
  bare: 'bench/peers/bare.ts',
  express: 'bench/peers/express.ts',
  jayson: 'bench/peers/jayson.ts',
  'json-rpc': 'bench/peers/json-rpc.ts',
  'oauth-tokens': 'bench/peers/oauth-tokens.ts',
  listening: 'bench/peers/listening.ts',
} as const;

export type Program = keyof typeof programs;

/** Finds the bundle of a program. */
export type Bundles = (program: Program) => string;

/** Bundles every program of this tree into `directory`, which must be inside the project, where the compiled modules are found. */
export async function bundle(root: string, directory: string): Promise<Bundles> {
  await build({
    absWorkingDir: root,
    entryPoints: { ...programs },
    outdir: directory,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // What brings a compiled module along stays where it is installed.
    external: ['better-sqlite3', 'pg-native'],
    // Packages in the old module format ask for others by `require`, which a module in the new one does not have.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  });
  return (program) => join(directory, `${program}.mjs`);
}
