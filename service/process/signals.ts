/** Sends signals to other processes, also to those that have ended in the meantime. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

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

/** Time (ms) for the programs to end after SIGTERM, before they are killed. */
const KILL_AFTER_MS = 1_000;

/**
 * The watching process. Lines on its standard input name the programs that run: `+12` begins, `-12` ends. The
 * input ends with the process that writes it, however that one ends.
 */
const WATCH = `
const running = new Set();
let rest = '';
const kill = (signal) => {
  for (const pid of running) try { process.kill(pid, signal); } catch { running.delete(pid); }
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => {});
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) running[line[0] === '+' ? 'add' : 'delete'](Number(line.slice(1)));
}).on('close', () => {
  kill('SIGTERM');
  setTimeout(kill, running.size === 0 ? 0 : ${KILL_AFTER_MS}, 'SIGKILL');
});
`;

let input: Socket | undefined;

/**
 * Ends a program when this process is killed, which then cannot do it itself. The program must lead a process group of
 * its own (`detached`). One small process watches for all of them.
 */
export function endWithUs(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  const target = HAS_GROUPS ? -pid : pid;
  input ??= startWatcher();
  input.write(`+${target}\n`);
  // Once the program has closed its output, its number may be given to another one.
  child.once('close', () => input?.write(`-${target}\n`));
}

function startWatcher(): Socket {
  const watcher = spawn(process.execPath, ['-e', WATCH], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, NODE_OPTIONS: '' },
    // What ends this process, such as a closed terminal, must not end the watcher before it.
    detached: true,
    windowsHide: true,
  });
  // Neither keeps this process alive, and without them it works as well.
  watcher.on('error', () => undefined).unref();
  const socket = watcher.stdin as Socket;
  socket.on('error', () => undefined).unref();
  return socket;
}
