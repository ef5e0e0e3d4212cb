/** Runs the parties side by side: all of them, or none; and waits until all are ready. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';
import { type CloseEvent, type Command, createConcurrently, LogError, Logger, LogOutput } from 'concurrently';
import { prettyFactory } from 'pino-pretty';
import { progress } from '#scripts/set-up/progress.mjs';
import { root } from '#scripts/set-up/set-up.mjs';
import { signalProcess } from '#service/process/signals.ts';
import type { DemoParty } from './parties.ts';

/** How a run ended: it was stopped, or a party died. */
type DemoEnding = { readonly died: DemoParty; readonly how: string } | { readonly died: undefined };

type Running = {
  /** Asks all parties to stop, and kills those that have not after a while. */
  stop(): void;
  readonly ended: Promise<DemoEnding>;
};

/** Parties are killed after this time (ms). They stop by themselves within five seconds. */
const KILL_AFTER_MS = 8_000;
const COLORS = { ehr: 'green', auth: 'yellow', client: 'cyan', console: 'magenta' } as const;

/** Each line of their output has the name of its party. When one ends, the others are stopped. */
export function supervise(parties: readonly DemoParty[]): Running {
  const logger = new Logger({ prefixFormat: 'name' });
  logger.setPrefixLength(Math.max(...parties.map(({ name }) => name.length)));
  const { commands, result } = createConcurrently(
    parties.map(({ name }) => ({ name, command: name, prefixColor: COLORS[name] })),
    {
      logger,
      outputStream: process.stdout,
      controllers: [new LogError({ logger }), new LogOutput({ logger })],
      spawn: (name) => startParty(parties.find((party) => party.name === name) as DemoParty),
      kill: (pid, signal) => signalProcess(pid, signal as NodeJS.Signals),
    },
  );
  let first: DemoEnding | undefined;
  const stop = () => {
    first ??= { died: undefined };
    stopAll(commands);
  };
  for (const command of commands) {
    const died = parties[command.index] as DemoParty;
    command.close.subscribe((event) => {
      first ??= { died, how: describe(event) };
      stopAll(commands);
    });
  }
  // The result rejects when a party ends with an error; how it ended was noted above.
  const over = () => first ?? { died: undefined };
  return { stop, ended: result.then(over, over) };
}

function startParty({ file, env }: DemoParty): ChildProcess {
  const watch = './demo/run/end-with-demo.mjs';
  const child = spawn(process.execPath, ['--import', watch, file], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr = readableLog(child.stderr ?? new PassThrough());
  return child;
}

/** Sends SIGTERM to all running parties, and after a while SIGKILL to those that are left. */
function stopAll(commands: readonly Command[]): void {
  for (const command of commands) command.kill('SIGTERM');
  setTimeout(() => {
    for (const command of commands) command.kill('SIGKILL');
  }, KILL_AFTER_MS).unref();
}

function describe({ exitCode }: CloseEvent): string {
  return typeof exitCode === 'string' ? `was killed by ${exitCode}` : `ended with code ${exitCode}`;
}

function readableLog(source: Readable): Readable {
  const prettify = prettyFactory({
    colorize: process.stdout.isTTY === true,
    singleLine: true,
    ignore: 'pid,hostname,party,name',
    translateTime: 'SYS:HH:MM:ss',
  });
  const out = new PassThrough();
  const lines = createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', (line) => void out.write(line.startsWith('{') ? prettify(line) : `${line}\n`));
  lines.on('close', () => out.end());
  return out;
}

const POLL_INTERVAL_MS = 100;
const START_TIMEOUT_MS = 60_000;
/** Time for one answer: a party that accepts and is silent is asked again. */
const ANSWER_TIMEOUT_MS = 5_000;

/** Throws an Error naming those that have not answered 200 after a minute, or the reason of `signal`. */
export async function untilReady(parties: readonly DemoParty[], signal: AbortSignal): Promise<void> {
  const shown = progress('Starting', { quietFor: 2_000 });
  const begun = performance.now();
  try {
    for (let waiting = parties; ; await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))) {
      const ready = await Promise.all(waiting.map(isReady));
      signal.throwIfAborted();
      waiting = waiting.filter((_party, index) => !ready[index]);
      if (waiting.length === 0) return;
      const silent = waiting.map(({ title, readyUrls }) => `${title} (${readyUrls.join(', ')})`).join(', ');
      if (performance.now() - begun > START_TIMEOUT_MS)
        throw new Error(
          `Failed to start: no answer within ${START_TIMEOUT_MS / 1_000} seconds from ${silent}.`,
        );
      shown.note(`waiting for ${waiting.map(({ title }) => title).join(', ')}`);
    }
  } finally {
    shown.clear();
  }
}

async function isReady({ readyUrls }: DemoParty): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const responses = await Promise.all(readyUrls.map((url) => fetch(url, { signal })));
    await Promise.all(responses.map(({ body }) => body?.cancel()));
    return responses.every(({ status }) => status === 200);
  } catch {
    // The party is not listening yet.
    return false;
  }
}
