/** Programs for one vitest test: in a process of their own, which is killed at its end, or in this one. */

import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { root } from '#scripts/set-up/set-up.mjs';
import { testEnvironment } from '../fixtures.ts';
import { type EndedProgram, type ProgramOptions, type StartedProgram, startProgram } from './program.ts';

export function useProgram(args: readonly string[], options?: ProgramOptions): StartedProgram {
  const program = startProgram(args, options);
  onTestFinished(() => void program.child.kill('SIGKILL'));
  return program;
}

export const runProgram = (args: readonly string[], options?: ProgramOptions): Promise<EndedProgram> =>
  useProgram(args, options).ended;

let runs = 0;

/** Runs the module of a command, which reads the command line and is done when it is loaded. */
export async function runHere(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; out: string; err: string }> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const { argv, exitCode } = process;
  const file = join(root, program);
  process.argv = [process.execPath, file, ...args];
  process.exitCode = 0;
  try {
    runs += 1;
    const { out, err } = await withOutput(() => import(/* @vite-ignore */ `${file}?run=${runs}`));
    return { code: Number(process.exitCode), out, err };
  } finally {
    Object.assign(process, { argv, exitCode });
  }
}

/** Returns what `run` resolves to, and what was written to both streams of this process meanwhile. */
export async function withOutput<Result>(
  run: () => Promise<Result>,
): Promise<{ result: Result; out: string; err: string }> {
  const said = { out: '', err: '' };
  const listen = (stream: 'stdout' | 'stderr', name: 'out' | 'err') =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      said[name] += text;
      return true;
    });
  const spies = [listen('stdout', 'out'), listen('stderr', 'err')];
  try {
    return { result: await run(), ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Says on standard error when a port is open: the line that says so on standard output has no reader. */
const TELLS_PORT = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net';
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...args) {
    this.once('listening', () => process.stderr.write('a port is open\\n'));
    return listen.apply(this, args);
  };
`)}`;

/** Starts a program whose standard output has lost its reader before anything is written. */
export function startUnread(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const program = useProgram(['scripts/run.mjs', ...words], { cwd: root, env });
  program.child.stdout?.destroy();
  const ended = program.ended.then(({ code, err }) => ({ code, complaints: err }));
  return { ...program, ended };
}

/** Expects that a server serves without a reader, and ends in peace on the signal. */
export async function expectServesUnread(module: string, signal: NodeJS.Signals): Promise<void> {
  const env = { ...testEnvironment, CLIENT_PORT: '0', NODE_OPTIONS: `--import=${TELLS_PORT}` };
  const { child, says, ended } = startUnread([module], env);
  await says(/./, 'err');
  child.kill(signal);
  const { code, complaints } = await ended;
  expect(code, complaints).toBe(0);
  expect(complaints.replaceAll('a port is open\n', '')).toBe('');
}
