/** The programs that are measured, one file each, so that nobody pays for a loader at run time: the EHR server as `npm run build` makes it, the others alike. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { timeCommand } from './time-start.ts';

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
  // Whoever runs a program of this project has it built first where its sources have changed.
  await timeCommand({ args: ['scripts/run.mjs', 'ehr-server/main.ts', '--help'], cwd: root });
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
  const ehr = join(root, 'dist', 'bin', 'ehr-server.js');
  return (program) => (program === 'ehr' ? ehr : join(directory, `${program}.mjs`));
}
