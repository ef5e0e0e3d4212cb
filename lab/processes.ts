/**
 * The processes that a run starts, of which none is left behind however the run ends. A server and the load
 * on it get a core each where the system allows it: otherwise they would compete by chance.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { systemClock } from '#protocol/time/clock.ts';
import { endWithUs } from '#service/process/end-with-us.ts';
import { type StartedProgram, startProgram } from '#testing/programs/program.ts';

/** The part that a process plays in a run. */
export type Seat = 'server' | 'load' | 'anywhere';

export type Child = Pick<StartedProgram, 'says' | 'ended'> & {
  pid: number;
  /** Sends a message and resolves to the next one of the child. @throws Error when it ends instead */
  ask<Answer>(message: unknown): Promise<Answer>;
  /** Says how the child ended, with its output; undefined while it runs, and after `end`. */
  accident(): string | undefined;
  /** Asks the child to end, kills it when it does not, and resolves when it has ended. */
  end(signal?: NodeJS.Signals): Promise<void>;
};

export type ChildOptions = { seat?: Seat; env?: Readonly<Record<string, string>> };

const KILL_AFTER_MS = 10_000;
const MAX_TOLD_CHARS = 4_000;

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

  /** Starts Node with these arguments, in a process group of its own. */
  start(args: readonly string[], { seat = 'anywhere', env = {} }: ChildOptions = {}): Child {
    const program = startProgram(args, {
      env,
      through: this.#seatOf(seat),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: process.platform !== 'win32',
    });
    const { child } = program;
    this.#running.add(child);
    endWithUs(child);
    child.once('exit', () => this.#running.delete(child));
    return childOf(program);
  }

  /** Kills every child at once. */
  killAll(): void {
    for (const child of this.#running) signalGroup(child, 'SIGKILL');
  }

  #seatOf(seat: Seat): string[] {
    if (seat === 'anywhere' || !this.isPinning) return [];
    return ['taskset', '-c', String(seat === 'server' ? 0 : availableParallelism() - 1)];
  }
}

function childOf({ child, text, says, ended }: StartedProgram): Child {
  let isEnding = false;
  const accident = () => {
    const { exitCode, signalCode } = child;
    if (isEnding || (exitCode === null && signalCode === null)) return undefined;
    return `The process ended with ${signalCode ?? `code ${exitCode}`}: ${text().slice(-MAX_TOLD_CHARS)}`;
  };
  return {
    pid: child.pid as number,
    says,
    ended,
    accident,
    async ask<Answer>(message: unknown) {
      const over = new AbortController();
      const answer = once(child, 'message', { signal: over.signal }).then(([told]) => told as Answer);
      // A child that has just ended is told by its exit.
      child.send(message as object, () => undefined);
      const gone = ended.then(() => {
        throw new Error(accident() ?? 'The process was ended.');
      });
      return Promise.race([answer, gone]).finally(() => over.abort());
    },
    async end(signal = 'SIGTERM') {
      isEnding = true;
      signalGroup(child, signal);
      const cancel = systemClock.after(KILL_AFTER_MS, () => signalGroup(child, 'SIGKILL'));
      await ended;
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
