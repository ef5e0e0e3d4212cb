/**
 * The measured programs: bundled as `npm run build` does, so that no loader costs time at run time, and started
 * with a core for the server and one for the load where the system allows it. Each process ends with its channel.
 */

import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { builtProgram } from '#scripts/build/built-program.mjs';
import { startProgram } from '#testing/programs/program.ts';

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

type Seat = 'server' | 'load';

export type Child = {
  /** Resolves to the first match in its output. @throws Error when it ends before */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a message and resolves to the next one of the child. @throws Error when it ends instead */
  ask<Answer>(message: unknown): Promise<Answer>;
  /** Asks the child to end, kills it when it does not, and resolves when it has ended. */
  end(): Promise<unknown>;
};

export const isPinning =
  process.platform === 'linux' &&
  availableParallelism() >= 2 &&
  spawnSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' }).status === 0;

export function startChild(seat: Seat, args: readonly string[], env: Record<string, string> = {}): Child {
  const core = seat === 'server' ? 0 : availableParallelism() - 1;
  const { child, says, ended, stop } = startProgram(args, {
    env,
    through: isPinning ? ['taskset', '-c', String(core)] : [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  return { says, ask: (message) => answerOf(child, message, ended), end: stop };
}

async function answerOf<Answer>(child: ChildProcess, message: unknown, ended: Promise<{ text: string }>) {
  const over = new AbortController();
  const answer = once(child, 'message', { signal: over.signal }).then(([told]) => told as Answer);
  // A child that has just ended is told by its exit.
  child.send(message as object, () => undefined);
  const gone = ended.then(({ text }) => {
    throw new Error(`The process has ended: ${text}`);
  });
  return Promise.race([answer, gone]).finally(() => over.abort());
}
