/** Running one tool: its output kept for when it fails, its time shown while it runs, and no process left when we are stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { progress } from '../progress.mjs';
import { root } from '../set-up.mjs';

export type Outcome = {
  /** The exit code, or the signal that ended it. */
  readonly code: number | string;
  /** Standard output and standard error as they came. */
  readonly output: string;
  readonly seconds: number;
};

export type Command = {
  /** Names it while it runs. */
  readonly title: string;
  /** A JavaScript program of the project's dependencies, by its path, with its arguments; run by this Node. */
  readonly node?: readonly string[];
  /** Any other program. */
  readonly program?: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Ends it after so many milliseconds. */
  readonly limit?: number;
  /** Is told each line of its standard output as it comes; it shows then what goes on. */
  readonly onLine?: ((line: string) => void) | undefined;
};

const MAX_OUTPUT = 2_000_000;
const running = new Set<ChildProcess>();

/** Runs a tool to its end; never throws. */
export function runCommand({ title, node = [], program, env = {}, limit, onLine }: Command): Promise<Outcome> {
  const [file, ...args] = program ?? [process.execPath, ...node];
  const shown = onLine ? undefined : progress(title, { quietFor: 2_000 });
  const begun = performance.now();
  const child = spawn(file, args, {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(limit !== undefined && { timeout: limit }),
    // A group of its own, so that stopping it stops what it has started, too.
    detached: process.platform !== 'win32',
  });
  running.add(child);
  let output = '';
  const take = (text: string) => {
    output = (output + text).slice(-MAX_OUTPUT);
  };
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);
  if (onLine) createInterface({ input: child.stdout }).on('line', onLine);
  return new Promise((resolve) => {
    const end = (code: number | string) => {
      running.delete(child);
      shown?.clear();
      resolve({ code, output, seconds: (performance.now() - begun) / 1_000 });
    };
    child.once('error', (error) => {
      take(error.message);
      end('error');
    });
    child.once('close', (code, signal) => end(code ?? signal ?? 'unknown'));
  });
}

/** Makes Ctrl-C and a request to end stop what runs, with the exit code that a shell expects. */
export function stopWithUs(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => {
      for (const child of running) stopGroup(child);
      process.exit(code);
    });
  }
}

function stopGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill();
    else process.kill(-child.pid, 'SIGTERM');
  } catch (error) {
    // It ended by itself in this moment.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
