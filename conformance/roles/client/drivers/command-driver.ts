/** Drives a client by a program: an action goes in as a line of JSON, what a person sees comes out as one. */
import { closeSync, constants, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { tryJson } from '#protocol/wire/json.ts';
import { quoted } from '../../../engine/harmless.ts';
import { type ChildWithStreams, MAX_LINE_CHARS, runChild } from '../../../engine/party/process/child.ts';
import { kindOfText } from '../../../engine/party/requests/json.ts';
import { fill, variablesIn } from '../../../engine/party/requests/template.ts';
import type { ClientSettings } from '../settings.ts';
import { type ClientDriver, DriverFailure, type DriversParts, type Seen, screens, ZONE } from './driver.ts';

type CommandDriverParts = Omit<DriversParts, 'port' | 'signal'> & {
  client: NonNullable<ClientSettings['client']>;
  /** A file that does not exist yet, where the client may keep what survives a restart. */
  storage: string;
  note?: ((text: string) => void) | undefined;
};

/** Takes the line of an answer. One that comes too late still uses its place. */
type Waiting = ((line: string) => void)[];

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
  const waiting: Waiting = [];
  const onLine = (line: string, from: string) => from === 'stdout' && waiting.shift()?.(line);
  const running = { clock, stopWithinMs: STOP_WITHIN_MS, show: mask, onLine };
  const child = await runChild(program, running).catch((cause: Error) => {
    const message = `the program ${command[0]} does not start: ${cause.message}`;
    throw new DriverFailure(message, { what: 'unreachable', cause });
  });
  const usesStorage = client.command.some((argument) =>
    variablesIn(argument)?.some(({ name }) => name === 'storage'),
  );
  const driver = driverOf(child, waiting, parts);
  let isTold = false;
  const kept = async () => {
    const left = { files: MAX_KEPT_FILES, bytes: MAX_KEPT_BYTES, isWhole: true };
    const texts = textsUnder(storage, left);
    if (!left.isWhole && !isTold) parts.note?.(NOT_WHOLE);
    isTold ||= !left.isWhole;
    return texts.map((text) => ({ text }));
  };
  return usesStorage ? { ...driver, kept } : driver;
}

/** Limit what is read of a client's storage after each action: far more than sessions and records need. */
const MAX_KEPT_FILES = 10_000;
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
const NOT_WHOLE =
  'The kit left out a part of what the client stores: it reads plain files alone, 10,000 files and 16 MiB at most, and follows no links.';

/** The texts of the plain files at a path. What cannot be read, or is too much, is left out. */
function textsUnder(path: string, left: { files: number; bytes: number; isWhole: boolean }): string[] {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) return [];
    const isTooMany = left.files-- <= 0;
    if (!isTooMany && found.isDirectory())
      return readdirSync(path).flatMap((name) => textsUnder(join(path, name), left));
    if (!isTooMany && found.isFile() && found.size <= left.bytes) {
      left.bytes -= found.size;
      return [textOf(path)];
    }
  } catch {
    // Told below: the client may have removed it meanwhile, or closed it to the kit.
  }
  left.isWhole = false;
  return [];
}

/** Reads a file. @throws Error where the client has put a link in its place; at a pipe it does not wait */
function textOf(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Limits the memory for what a client writes to its log between two looks. */
const MAX_LOG_BYTES = 4 * 1024 * 1024;

function logOf({ stderr }: ChildWithStreams): () => string[] {
  let chunks: Buffer[] = [];
  let bytes = 0;
  stderr.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_LOG_BYTES) chunks.push(chunk);
  });
  return () => {
    const text = Buffer.concat(chunks).toString('utf8');
    [chunks, bytes] = [[], 0];
    return [text];
  };
}

function driverOf(
  child: ChildWithStreams,
  waiting: Waiting,
  { clock, timeouts, mask }: CommandDriverParts,
): ClientDriver {
  // A program that has ended closes its input: its end is told by `closed`.
  child.stdin?.on('error', () => undefined);
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
  const shown = () => JSON.stringify(mask(line).slice(0, MAX_SHOWN_CHARS));
  if (line.length > MAX_LINE_CHARS) {
    const message = `the answer is longer than ${MAX_LINE_CHARS} characters: ${shown()}`;
    throw new DriverFailure(message, { what: 'unexpected-answer' });
  }
  const json = tryJson(line);
  if (!json) {
    const message = `the answer is not one line of JSON: ${shown()} (${kindOfText(line)})`;
    throw new DriverFailure(message, { what: 'unexpected-answer' });
  }
  const parsed = seenSchema.safeParse(json.value);
  if (parsed.success) return parsed.data as Seen;
  const what = `the answer must have sees (one of ${screens.join(', ')}) and text, and is ${shown()}`;
  throw new DriverFailure(what, { what: 'unexpected-answer' });
}
