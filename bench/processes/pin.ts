/** Giving the server one core and the load another, where the system can: else they take it from each other by chance. */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Which part of the bench a process is. */
export type Seat = 'server' | 'load' | 'anywhere';

let canPin: boolean | undefined;

/** Whether processes are pinned on this machine. */
export function isPinning(): boolean {
  canPin ??=
    process.platform === 'linux' &&
    availableParallelism() >= 2 &&
    spawnSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' }).status === 0;
  return canPin;
}

/** The command line that runs Node in its seat. */
export function seated(seat: Seat, args: readonly string[]): [program: string, ...args: string[]] {
  if (seat === 'anywhere' || !isPinning()) return [process.execPath, ...args];
  const core = seat === 'server' ? 0 : availableParallelism() - 1;
  return ['taskset', '-c', String(core), process.execPath, ...args];
}
