/** Runs one tool: keeps its output for a failure, shows its time, and stops it with this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { endWithUs, HAS_GROUPS, signalGroup } from '#service/process/signals.ts';
import { progress } from '../set-up/progress.mjs';
import { root } from '../set-up/set-up.mjs';

export type CommandOutcome = {
  /** The exit code, or the signal that ended it. */
  readonly code: number | string;
  /** Standard output and standard error in order of arrival. */
  readonly output: string;
  readonly seconds: number;
};

export type Command = {
  readonly title: string;
  /** A JavaScript program of the dependencies, by its path, with its arguments. */
  readonly node?: readonly string[];
  /** Any other program. */
  readonly program?: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** In milliseconds. */
  readonly limit?: number;
  /** Called with each line of standard output. Showing the progress is then left to it. */
  readonly onLine?: ((line: string) => void) | undefined;
};

const MAX_OUTPUT_CHARS = 2_000_000;
const running = new Set<ChildProcess>();

/** Runs a tool to its end. Never rejects. */
export function runCommand(command: Command): Promise<CommandOutcome> {
  const { title, node = [], program, env = {}, limit, onLine } = command;
  const [file, ...args] = program ?? [process.execPath, ...node];
  const shown = onLine ? undefined : progress(title, { quietFor: 2_000 });
  const begun = performance.now();
  const child = spawn(file, args, {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(limit !== undefined && { timeout: limit }),
    // Runs in its own process group, so that stopping it also stops what it has started.
    detached: HAS_GROUPS,
  });
  running.add(child);
  endWithUs(child);
  let output = '';
  const take = (text: string) => {
    output = (output + text).slice(-MAX_OUTPUT_CHARS);
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

/** Makes Ctrl-C and a request to end stop the running tools, and exit with the code that a shell expects. */
export function stopWithUs(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => {
      for (const child of running) signalGroup(child, 'SIGTERM');
      process.exit(code);
    });
  }
}
