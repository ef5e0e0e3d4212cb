/**
 * Ends the programs that this process started when this process is killed: it then cannot do it itself. One
 * small process watches for all of them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { HAS_GROUPS } from './signals.ts';

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

/** Ends a program with this process. It must lead a process group of its own (`detached`). */
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
