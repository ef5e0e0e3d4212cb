/** A program that runs as a process group of its own, so that it and all that it has started can be ended for certain. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '#protocol/clock.ts';
import { OutputTail } from './output-tail.ts';

export type Child = {
  readonly pid: number;
  /** The last lines of its output, at most fifty. */
  output(): string[];
  /** How it ended, in words, once it has; undefined while it runs. */
  ended(): string | undefined;
  /** Resolves when the program has ended, by itself or not. */
  readonly gone: Promise<void>;
  /** Resolves when nobody holds its output open any more. */
  readonly closed: Promise<void>;
  /** Asks the group to end, and kills it when it does not. Resolves when it is gone. */
  stop(): Promise<void>;
};

export type Program = { command: readonly string[]; cwd: string; env: Record<string, string | undefined> };

export type ChildParts = {
  clock: Clock;
  /** How long the group may take to end when it is asked to, in milliseconds. */
  stopWithin: number;
  /** Makes a line fit to be shown. */
  show: (line: string) => string;
  /** Is told every line as it was written. */
  onLine: (line: string) => void;
};

/** After a kill, what still holds the output open is none of the group; it is not waited for, in milliseconds. */
const AFTER_KILL = 1_000;

/**
 * Starts a program.
 * @throws the system's error when it cannot be started
 */
export async function runChild(
  { command, cwd, env }: Program,
  { clock, stopWithin, show, onLine }: ChildParts,
): Promise<Child> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd,
    env,
    detached: HAS_GROUPS,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const tail = new OutputTail(show, onLine);
  for (const stream of [child.stdout, child.stderr]) {
    const take = tail.stream();
    stream.on('data', take).on('end', () => take(undefined));
  }
  let how: string | undefined;
  let isClosed = false;
  const gone = new Promise<void>((resolve) => {
    child.on('exit', (code, signal) => {
      how = signal === null ? `ended with code ${code}` : `was killed by ${signal}`;
      resolve();
    });
  });
  // The kit may be ended in a way that leaves no time to ask; the group must not outlive it.
  const lastResort = () => signalGroup(child, 'SIGKILL');
  process.once('exit', lastResort);
  const closed = new Promise<void>((resolve) => {
    child.on('close', () => {
      isClosed = true;
      process.off('exit', lastResort);
      // Now and never later: once the group is gone its number may become another's.
      signalGroup(child, 'SIGKILL');
      resolve();
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve).once('error', reject);
  }).catch((error: unknown) => {
    process.off('exit', lastResort);
    throw error;
  });

  async function end(): Promise<void> {
    if (isClosed) return;
    signalGroup(child, 'SIGTERM');
    let cancel = clock.after(stopWithin, () => {
      signalGroup(child, 'SIGKILL');
      cancel = clock.after(AFTER_KILL, () => {
        child.stdout.destroy();
        child.stderr.destroy();
      });
    });
    await closed;
    cancel();
  }

  let stopping: Promise<void> | undefined;
  return {
    pid: child.pid as number,
    output: () => tail.lines(),
    ended: () => how,
    gone,
    closed,
    stop() {
      stopping ??= end();
      return stopping;
    },
  };
}

/** Windows has no process groups; there the program alone is ended. */
const HAS_GROUPS = process.platform !== 'win32';

function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (HAS_GROUPS) process.kill(-pid, signal);
    else child.kill(signal);
  } catch (error) {
    // Nobody of the group is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
