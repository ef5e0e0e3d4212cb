/**
 * The processes that a run starts, of which none is left behind however the run ends. A server and the load
 * on it get a core each where the system allows it: otherwise they would compete by chance.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { systemClock } from '#protocol/time/clock.ts';
import { endWithUs } from '#service/process/end-with-us.ts';

/** The part that a process plays in a run. */
export type Seat = 'server' | 'load' | 'anywhere';

export type Child = {
  pid: number;
  /**
   * Resolves to the first line of its output that matches. @throws Error with its complaints, when it ends
   * before
   */
  line(pattern: RegExp): Promise<string>;
  /** Sends a message and resolves to the next one of the child. @throws Error when it ends instead */
  ask<Answer>(message: unknown): Promise<Answer>;
  /** Resolves to the exit code. */
  exit: Promise<number | null>;
  /** Says how the child ended, with its last complaints; undefined while it runs, and after `end`. */
  ended(): string | undefined;
  /** Asks the child to end, kills it when it does not, and resolves when it has ended. */
  end(signal?: NodeJS.Signals): Promise<void>;
};

export type ChildOptions = { seat?: Seat; env?: Readonly<Record<string, string>>; cwd?: string };

const KILL_AFTER_MS = 10_000;
const MAX_COMPLAINT_CHARS = 4_000;

export class Children {
  /** Whether a server and the load on it have a core each. */
  readonly isPinning =
    process.platform === 'linux' &&
    availableParallelism() >= 2 &&
    spawnSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' }).status === 0;
  readonly #running = new Set<ChildProcess>();

  /** @param signal kills every child when it aborts */
  constructor(signal?: AbortSignal) {
    signal?.addEventListener('abort', () => this.killAll());
  }

  /** Kills every child at once. */
  killAll(): void {
    for (const child of this.#running) signalGroup(child, 'SIGKILL');
  }

  /** Starts Node with these arguments, in a process group of its own. */
  start(args: readonly string[], { seat = 'anywhere', env = {}, cwd }: ChildOptions = {}): Child {
    const [program, ...rest] = [...this.#seatOf(seat), process.execPath, ...args] as [string, ...string[]];
    const child = spawn(program, rest, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: process.platform !== 'win32',
      ...(cwd !== undefined && { cwd }),
    });
    this.#running.add(child);
    endWithUs(child);
    child.once('exit', () => this.#running.delete(child));
    return childOf(child);
  }

  #seatOf(seat: Seat): string[] {
    if (seat === 'anywhere' || !this.isPinning) return [];
    return ['taskset', '-c', String(seat === 'server' ? 0 : availableParallelism() - 1)];
  }
}

function childOf(child: ChildProcess): Child {
  let complaints = '';
  let isEnding = false;
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      complaints = (complaints + text).slice(-MAX_COMPLAINT_CHARS);
    });
  const exit = new Promise<number | null>((resolve) =>
    child.once('exit', resolve).once('error', () => resolve(null)),
  );
  const ended = () => {
    const { exitCode, signalCode } = child;
    if (isEnding || (exitCode === null && signalCode === null)) return undefined;
    return `The process ended with ${signalCode ?? `code ${exitCode}`}: ${complaints}`;
  };
  const orEnd = async <T>(wanted: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const over = new AbortController();
    const gone = exit.then(() => {
      throw new Error(ended() ?? `The process ended: ${complaints}`);
    });
    return Promise.race([wanted(over.signal), gone]).finally(() => over.abort());
  };
  return {
    pid: child.pid as number,
    exit,
    ended,
    line: (pattern) =>
      orEnd(async () => {
        const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
        return new Promise<string>((resolve) =>
          lines.on('line', (line) => pattern.test(line) && resolve(line)),
        );
      }),
    ask: <Answer>(message: unknown) =>
      orEnd(async (signal) => {
        const answer = once(child, 'message', { signal });
        // A child that has just ended is told by its exit.
        child.send(message as object, () => undefined);
        return (await answer)[0] as Answer;
      }),
    async end(signal = 'SIGTERM') {
      isEnding = true;
      signalGroup(child, signal);
      const cancel = systemClock.after(KILL_AFTER_MS, () => signalGroup(child, 'SIGKILL'));
      await exit;
      cancel();
    },
  };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // The process has ended by itself in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
