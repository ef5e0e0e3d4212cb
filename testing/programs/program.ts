/** Programs in processes of their own: what one has written so far, and how it ends. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { systemClock } from '#protocol/time/clock.ts';

export type EndedProgram = {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** What it wrote to standard output, to standard error, and to either in order of arrival. */
  out: string;
  err: string;
  text: string;
};

export type StartedProgram = {
  readonly child: ChildProcess;
  text(): string;
  /** The first match in what it writes. @throws Error with all that it has written, when it ends before */
  says(pattern: RegExp, stream?: 'out' | 'err' | 'text'): Promise<RegExpExecArray>;
  readonly ended: Promise<EndedProgram>;
  /** Sends a signal, kills the program when it has not ended after a while, and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<EndedProgram>;
};

export type ProgramOptions = SpawnOptions & {
  /** A command line that runs the one after it, for example to set limits. */
  through?: readonly string[];
};

/** A party that does not stop by itself gives up within five seconds, on a busy machine later. */
const KILL_AFTER_MS = 30_000;
/** The beginning of longer output is forgotten. */
const MAX_KEPT_CHARS = 2_000_000;

/** Starts Node with these arguments, in this environment with `env` beside it. The caller ends it. */
export function startProgram(
  args: readonly string[],
  { through = [], env = {}, ...options }: ProgramOptions = {},
): StartedProgram {
  const [command, ...rest] = [...through, process.execPath, ...args] as [string, ...string[]];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: { ...process.env, ...env },
  });
  const { written, listeners } = readOutput(child);
  const ended = new Promise<EndedProgram>((resolve) => {
    child.once('error', ({ message }) => resolve({ code: null, signal: null, ...written, text: message }));
    child.once('close', (code, signal) => resolve({ code, signal, ...written }));
  });
  return {
    child,
    ended,
    text: () => written.text,
    says: (pattern, stream = 'text') =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(written[stream]);
          if (!found) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
        void ended.then(({ text }) => reject(new Error(`It ended and never said ${pattern}:\n${text}`)));
      }),
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      const cancel = systemClock.after(KILL_AFTER_MS, () => void child.kill('SIGKILL'));
      return ended.finally(cancel);
    },
  };
}

function readOutput({ stdout, stderr }: ChildProcess) {
  const written = { out: '', err: '', text: '' };
  const listeners = new Set<() => void>();
  for (const [name, stream] of [['out', stdout] as const, ['err', stderr] as const])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      for (const each of [name, 'text'] as const)
        written[each] = (written[each] + chunk).slice(-MAX_KEPT_CHARS);
      for (const look of listeners) look();
    });
  return { written, listeners };
}
