/** Server and load get a core each where the system allows it. Each process ends with its channel. */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { startProgram } from '#testing/programs/program.ts';

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
