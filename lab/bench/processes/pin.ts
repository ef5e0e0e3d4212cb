/**
 * Pins the server and the load to different cores where the system allows it: otherwise they would compete by
 * chance.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The part that a process plays in the bench. */
export type Seat = 'server' | 'load' | 'anywhere';

let canPin: boolean | undefined;

/** Tells whether processes are pinned on this machine. */
export function isPinning(): boolean {
  canPin ??=
    process.platform === 'linux' &&
    availableParallelism() >= 2 &&
    spawnSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' }).status === 0;
  return canPin;
}

/** Returns the command line that runs Node on its core. */
export function seated(seat: Seat, args: readonly string[]): [program: string, ...args: string[]] {
  if (seat === 'anywhere' || !isPinning()) return [process.execPath, ...args];
  const core = seat === 'server' ? 0 : availableParallelism() - 1;
  return ['taskset', '-c', String(core), process.execPath, ...args];
}
