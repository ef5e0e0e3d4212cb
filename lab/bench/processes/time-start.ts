/** Measures how long a program takes until it is ready, and how long whole commands take. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endChild, startChild } from './children.ts';

export type Command = {
  /** Arguments of this Node. */
  args: readonly string[];
  cwd: string;
  env?: Readonly<Record<string, string>>;
};

const MAX_OUTPUT_CHARS = 4_000;

/**
 * Returns the milliseconds from the start of a process to the first line of its output that matches `ready`,
 * then stops it.
 * @throws Error with its output, when it ends before
 */
export async function timeStart(command: Command, ready: RegExp): Promise<number> {
  const begun = performance.now();
  const { child, said } = start(command);
  const time = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (ready.test(line)) resolve(performance.now() - begun);
    });
    child.once('exit', (code) => reject(failed(command, code, said())));
  });
  await endChild(child);
  return time;
}

/**
 * Returns the milliseconds from the start of a command to its end.
 * @throws Error with the end of its output, when it fails: the time of a failure means nothing
 */
export async function timeCommand(command: Command): Promise<number> {
  const begun = performance.now();
  const { child, said } = start(command);
  child.stdout?.resume();
  const [code] = await once(child, 'exit');
  const time = performance.now() - begun;
  if (code !== 0) throw failed(command, code, said());
  return time;
}

function start({ args, cwd, env = {} }: Command): { child: ChildProcess; said: () => string } {
  const child = startChild([process.execPath, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-MAX_OUTPUT_CHARS);
    });
  }
  return { child, said: () => output };
}

function failed({ args }: Command, code: number | null, output: string): Error {
  return new Error(`Failed to measure node ${args.join(' ')}: it ended with code ${code}.\n${output}`);
}
