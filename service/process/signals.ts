/** Sends signals to other processes, also to those that have ended in the meantime. */
import type { ChildProcess } from 'node:child_process';

/** Whether a detached program leads a process group, which is ended as a whole. Windows has no groups. */
export const HAS_GROUPS = process.platform !== 'win32';

/** Signals a process. Does nothing when it has ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Signals a detached program and all that it has started. Does nothing when no process of them is left. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) signalProcess(HAS_GROUPS ? -pid : pid, signal);
}

/** Tells whether a process with this number exists, perhaps one of another user. */
export function isRunning(pid: number): boolean {
  try {
    // Signal 0 is not sent: it only looks whether the process exists.
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
