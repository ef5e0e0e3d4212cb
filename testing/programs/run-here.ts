/** Commands, run in this process. */
import { join } from 'node:path';
import { vi } from 'vitest';
import { root } from '#scripts/set-up/set-up.mjs';

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
