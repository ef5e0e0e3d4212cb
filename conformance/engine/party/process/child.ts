/**
 * Runs a program, such as the server under test, as a process group: the kit ends it together with all that
 * it started. The last lines of its output are kept for error messages, in limited memory.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Clock } from '#protocol/time/clock.ts';
import { endWithUs, HAS_GROUPS, signalGroup } from '#service/process/signals.ts';

/** `killed`: it is not asked to end. */
export type Ending = 'asked' | 'killed';

export type Child = {
  readonly pid: number;
  output(): string[];
  /** How the program ended, in words; undefined: it runs. */
  ended(): string | undefined;
  readonly gone: Promise<void>;
  /** Resolves when the program's output is closed: when it and the programs it started have ended. */
  readonly closed: Promise<void>;
  /** Asks the group to end, and kills the group if it does not. Resolves when its output is closed. */
  stop(how?: Ending): Promise<void>;
};

/** A program with its standard input and error. `stdin` is null if the program does not read any. */
export type ChildWithStreams = Child & { readonly stdin: Writable | null; readonly stderr: Readable };

type Program = {
  command: readonly string[];
  cwd: string;
  env: Record<string, string | undefined>;
  readsInput?: boolean;
};

type ChildParts = {
  clock: Clock;
  /** Time (ms) for the group to end after SIGTERM, before it is killed. */
  stopWithinMs: number;
  /** Prepares a line for display, such as by hiding secrets. */
  show: (line: string) => string;
  /** Called with every line as it was written. One of more than {@link MAX_LINE_CHARS} lacks its end. */
  onLine: (line: string, from: Source) => void;
};

type Source = 'stdout' | 'stderr';

/** Limits the wait (ms) for open output after a kill: only a process of another group still has it open. */
const OUTPUT_CLOSE_TIMEOUT_MS = 1_000;

/** Starts a program. @throws the system's error when it cannot be started */
export async function runChild(
  { command, cwd, env, readsInput = false }: Program,
  { clock, stopWithinMs, ...shown }: ChildParts,
): Promise<ChildWithStreams> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd,
    env,
    detached: HAS_GROUPS,
    stdio: [readsInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  // Ends the program with the kit, however the kit ends.
  endWithUs(child);
  const tail = outputTail(shown);
  const { stdin, stdout, stderr } = child as typeof child & { stdout: Readable; stderr: Readable };
  for (const [from, stream] of Object.entries({ stdout, stderr })) {
    const take = tail.stream(from as Source);
    stream.on('data', take).on('end', () => take(undefined));
  }
  let how: string | undefined;
  const gone = new Promise<void>((resolve) => {
    child.on('exit', (code, signal) => {
      how = signal === null ? `ended with code ${code}` : `was killed by ${signal}`;
      resolve();
    });
  });
  const closed = await killAtEnd(child);
  let stopping: Promise<void> | undefined;
  return {
    pid: child.pid as number,
    stdin,
    stderr,
    output: tail.lines,
    ended: () => how,
    gone,
    closed: closed.promise,
    stop(how = 'asked') {
      stopping ??= end(child, closed, { clock, stopWithinMs, how });
      return stopping;
    },
  };
}

type Closed = { promise: Promise<void>; isClosed: boolean };

/** Kills what is left of a program's group when its output is closed, and when the kit exits. */
async function killAtEnd(child: ChildProcess): Promise<Closed> {
  // When the kit exits there is no time to ask the group to end.
  const lastResort = () => signalGroup(child, 'SIGKILL');
  process.once('exit', lastResort);
  const promise = new Promise<void>((resolve) => {
    child.on('close', () => {
      closed.isClosed = true;
      process.off('exit', lastResort);
      // Kills now and never later: once the group is gone, its number may be given to another group.
      signalGroup(child, 'SIGKILL');
      resolve();
    });
  });
  const closed: Closed = { promise, isClosed: false };
  await once(child, 'spawn').catch((error: unknown) => {
    process.off('exit', lastResort);
    throw error;
  });
  return closed;
}

async function end(
  child: ChildProcess,
  closed: Closed,
  { clock, stopWithinMs, how }: Pick<ChildParts, 'clock' | 'stopWithinMs'> & { how: Ending },
): Promise<void> {
  if (closed.isClosed) return;
  signalGroup(child, how === 'killed' ? 'SIGKILL' : 'SIGTERM');
  let cancel = clock.after(stopWithinMs, () => {
    signalGroup(child, 'SIGKILL');
    cancel = clock.after(OUTPUT_CLOSE_TIMEOUT_MS, () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    });
  });
  await closed.promise;
  cancel();
}

/** Limit the lines that are kept, and what is shown of each. */
const MAX_LINES = 50;
const MAX_SHOWN_CHARS = 500;
/** Limits the memory for a line: a screen with a record has a few thousand characters. */
export const MAX_LINE_CHARS = 256 * 1024;

/**
 * Keeps the last lines of a program's output, cut only as they are shown, so that no half secret is left.
 * `stream` returns a function that takes the chunks of one stream, and undefined at its end.
 */
export function outputTail({ show, onLine }: Pick<ChildParts, 'show' | 'onLine'>) {
  const kept: string[] = [];
  const stream = (from: Source) => {
    const decoder = new StringDecoder('utf8');
    /** The line that has not ended; undefined: it was too long, and its rest is dropped. */
    let open: string | undefined = '';
    const end = () => {
      if (open === undefined) return;
      const line = open.replace(/\r$/, '');
      open = undefined;
      onLine(line, from);
      kept.push(line);
      if (kept.length > MAX_LINES) kept.shift();
    };
    return (chunk: Buffer | undefined) => {
      const text = chunk ? decoder.write(chunk) : decoder.end();
      for (const [at, part] of text.split('\n').entries()) {
        if (at > 0) {
          end();
          open = '';
        }
        if (open === undefined) continue;
        open += part;
        if (open.length > MAX_LINE_CHARS) end();
      }
      if (!chunk && open) end();
    };
  };
  return { stream, lines: () => kept.map((line) => show(line).slice(0, MAX_SHOWN_CHARS)) };
}
