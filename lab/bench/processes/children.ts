/** Every process that the bench starts, so that none is left behind however the bench ends. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { endWithUs } from '#service/process/end-with-us.ts';

const running = new Set<ChildProcess>();

/** Starts a program in its own process group, which {@link killAll} and {@link endChild} end as a whole. */
export function startChild([program, ...args]: readonly [string, ...string[]], options: SpawnOptions): ChildProcess {
  const child = spawn(program, args, { ...options, detached: process.platform !== 'win32' });
  running.add(child);
  endWithUs(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Asks a child to end, and resolves when it has ended. Kills it after `killAfterMs`. */
export async function endChild(child: ChildProcess, killAfterMs = 10_000): Promise<void> {
  if (!running.has(child)) return;
  const gone = once(child, 'exit');
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), killAfterMs);
  await gone;
  clearTimeout(timer);
}

/** Kills every running child at once. */
export function killAll(): void {
  for (const child of running) signalGroup(child, 'SIGKILL');
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // The process has ended by itself in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
