/** Drives a client by a program: an action goes in as a line of JSON, what a person sees comes out as one. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { tryJson } from '#protocol/wire/json.ts';
import { quoted } from '../../../engine/harmless.ts';
import { type ChildWithStreams, runChild } from '../../../engine/party/process/child.ts';
import { kindOfText } from '../../../engine/party/requests/json.ts';
import { fill, variablesIn } from '../../../engine/party/requests/template.ts';
import type { ClientSettings } from '../settings.ts';
import { type ClientDriver, DriverFailure, type DriversParts, type Seen, screens, ZONE } from './driver.ts';

type CommandDriverParts = Omit<DriversParts, 'port' | 'signal'> & {
  client: NonNullable<ClientSettings['client']>;
  /** A file that does not exist yet, where the client may keep what survives a restart. */
  storage: string;
};

const seenSchema = z.looseObject({
  sees: z.enum(screens),
  text: z.string(),
  beside: z.string().optional(),
  patient: z.unknown().optional(),
});

const STOP_WITHIN_MS = 1_000;

/** @throws DriverFailure when the program cannot be started */
export async function startCommandDriver(parts: CommandDriverParts): Promise<ClientDriver> {
  const { client, clock, env, authUrl, ehrUrl, storage, mask } = parts;
  const variables = { authUrl, ehrUrl, storage, node: process.execPath };
  const command = client.command.map((argument) => fill(argument, variables) ?? '');
  const program = {
    command,
    cwd: client.cwd ?? '.',
    env: { ...env, TZ: ZONE, ...client.env },
    readsInput: true,
  };
  const running = { clock, stopWithinMs: STOP_WITHIN_MS, show: mask, onLine: () => undefined };
  const child = await runChild(program, running).catch((cause: Error) => {
    const message = `the program ${command[0]} does not start: ${cause.message}`;
    throw new DriverFailure(message, { what: 'unreachable', cause });
  });
  const usesStorage = client.command.some((argument) =>
    variablesIn(argument)?.some(({ name }) => name === 'storage'),
  );
  const driver = driverOf(child, parts);
  const kept = async () => filesUnder(storage).map((text) => ({ text }));
  return usesStorage ? { ...driver, kept } : driver;
}

function filesUnder(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [readFileSync(path, 'utf8')];
  return readdirSync(path).flatMap((name) => filesUnder(join(path, name)));
}

function logOf({ stderr }: ChildWithStreams): () => string[] {
  const chunks: Buffer[] = [];
  stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => [Buffer.concat(chunks.splice(0)).toString('utf8')];
}

function driverOf(child: ChildWithStreams, { clock, timeouts, mask }: CommandDriverParts): ClientDriver {
  /** An answer that comes too late still uses its place. */
  const waiting: ((line: string) => void)[] = [];
  // A program that has ended closes its input: its end is told by `closed`.
  child.stdin?.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line));
  const failEnded = (): never => {
    const said = child.output().slice(-3).map(quoted).join(' / ');
    const lines = said === '' ? 'It said nothing.' : `Its last lines: ${said}`;
    throw new DriverFailure(`the program ${child.ended()}. ${lines}`, { what: 'ended' });
  };
  return {
    async act(action) {
      if (child.ended() !== undefined) failEnded();
      const { actionMs } = timeouts;
      let cancel: () => void = () => undefined;
      const late = new Promise<never>((_resolve, reject) => {
        const failure = new DriverFailure(`no answer to ${action.do} within ${actionMs} ms`, {
          what: 'timeout',
        });
        cancel = clock.after(actionMs, () => reject(failure));
      });
      const answer = new Promise<string>((resolve) => waiting.push(resolve));
      child.stdin?.write(`${JSON.stringify(action)}\n`);
      try {
        return readSeen(await Promise.race([answer, child.closed.then(failEnded), late]), mask);
      } finally {
        cancel();
      }
    },
    async leave() {
      child.stdin?.end();
      let isStopped = false;
      const cancel = clock.after(timeouts.leaveMs, () => {
        isStopped = true;
        void child.stop();
      });
      await child.closed;
      cancel();
      return isStopped ? 'timeouts.leaveMs' : undefined;
    },
    kill: () => child.stop(),
    logged: logOf(child),
  };
}

const MAX_SHOWN_CHARS = 80;

/** @throws DriverFailure when the line is no answer */
function readSeen(line: string, mask: (text: string) => string): Seen {
  const shown = JSON.stringify(mask(line.slice(0, MAX_SHOWN_CHARS)));
  const json = tryJson(line);
  if (!json) {
    const message = `the answer is not one line of JSON: ${shown} (${kindOfText(line)})`;
    throw new DriverFailure(message, { what: 'unexpected-answer' });
  }
  const parsed = seenSchema.safeParse(json.value);
  if (parsed.success) return parsed.data as Seen;
  const what = `the answer must have sees (one of ${screens.join(', ')}) and text, and is ${shown}`;
  throw new DriverFailure(what, { what: 'unexpected-answer' });
}
