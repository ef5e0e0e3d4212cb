/** Drives a client by a program: an action is a line of JSON to it, what is seen a line of JSON from it. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Clock } from '#protocol/time/clock.ts';
import type { Env } from '../../../engine/party/file/env.ts';
import { type ChildWithStreams, runChild } from '../../../engine/party/process/child.ts';
import { fill, variablesIn } from '../../../engine/party/requests/template.ts';
import { kindOfText } from '../../../engine/party/requests/why-not-json.ts';
import type { ClientSettings } from '../settings.ts';
import { type Action, type ClientDriver, DriverFailure, type Seen, screens } from './driver.ts';

export type CommandDriverParts = {
  settings: { client: NonNullable<ClientSettings['client']>; timeouts: ClientSettings['timeouts'] };
  authUrl: string;
  ehrUrl: string;
  /** A file that does not exist yet, where the client may keep what survives a restart. */
  storage: string;
  clock: Clock;
  env: Env;
  /** Hides values that must not be shown. */
  mask: (text: string) => string;
};

const seenSchema = z.looseObject({
  sees: z.enum(screens),
  text: z.string(),
  patient: z.unknown().optional(),
});

/** Time (ms) between SIGTERM and SIGKILL. */
const STOP_WITHIN_MS = 1_000;

type DrivingParts = ClientSettings['timeouts'] & Pick<CommandDriverParts, 'clock' | 'mask'>;
type Waiting = { take: (line: string) => void; fail: (failure: DriverFailure) => void };

/**
 * Starts the program of the file.
 * @throws DriverFailure when it cannot be started
 */
export async function startCommandDriver(parts: CommandDriverParts): Promise<ClientDriver> {
  const { settings, clock, env, authUrl, ehrUrl, storage } = parts;
  const { client, timeouts } = settings;
  const variables = { authUrl, ehrUrl, storage, node: process.execPath };
  const command = client.command.map((argument) => fill(argument, variables) ?? '');
  const program = { command, cwd: client.cwd ?? '.', env: { ...env, ...client.env }, readsInput: true };
  const child = await runChild(program, {
    clock,
    stopWithinMs: STOP_WITHIN_MS,
    show: parts.mask,
    onLine: () => undefined,
  }).catch((cause: Error) => {
    throw new DriverFailure(`the program ${command[0]} does not start: ${cause.message}`, {
      what: 'unreachable',
      cause,
    });
  });
  const { driver } = new CommandDriver(child, { ...timeouts, clock, mask: parts.mask });
  const usesStorage = client.command.some((argument) =>
    variablesIn(argument)?.some(({ name }) => name === 'storage'),
  );
  return usesStorage ? { ...driver, kept: async () => filesUnder(storage) } : driver;
}

/** The texts of a file, or of all files of a directory. */
function filesUnder(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [readFileSync(path, 'utf8')];
  return readdirSync(path).flatMap((name) => filesUnder(join(path, name)));
}

class CommandDriver {
  readonly driver: ClientDriver;
  readonly #child: ChildWithStreams;
  readonly #parts: DrivingParts;
  readonly #waiting: Waiting[] = [];

  constructor(child: ChildWithStreams, parts: DrivingParts) {
    this.#child = child;
    this.#parts = parts;
    // A program that has ended closes its input: its end is told by `closed`.
    child.stdin?.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => this.#waiting.shift()?.take(line));
    void child.closed.then(() => this.#onClosed());
    this.driver = {
      act: (action) => this.#act(action),
      leave: () => this.#leave(),
      kill: () => child.stop(),
    };
  }

  #act(action: Action): Promise<Seen> {
    const ended = this.#child.ended();
    if (ended !== undefined) return Promise.reject(this.#endedFailure());
    const { clock, actionMs } = this.#parts;
    return new Promise<Seen>((resolve, reject) => {
      const cancel = clock.after(actionMs, () =>
        waiting.fail(
          new DriverFailure(`no answer to ${action.do} within ${actionMs} ms`, { what: 'timeout' }),
        ),
      );
      const waiting: Waiting = {
        take: (line) => {
          cancel();
          try {
            resolve(readSeen(line, this.#parts.mask));
          } catch (error) {
            reject(error);
          }
        },
        fail: (failure) => {
          cancel();
          reject(failure);
        },
      };
      this.#waiting.push(waiting);
      this.#child.stdin?.write(`${JSON.stringify(action)}\n`);
    });
  }

  async #leave(): Promise<void> {
    const { clock, leaveMs } = this.#parts;
    this.#child.stdin?.end();
    const cancel = clock.after(leaveMs, () => void this.#child.stop());
    await this.#child.closed;
    cancel();
  }

  #onClosed(): void {
    for (const waiting of this.#waiting.splice(0)) waiting.fail(this.#endedFailure());
  }

  #endedFailure(): DriverFailure {
    const said = this.#child.output().slice(-3).join(' / ');
    const lines = said === '' ? 'It said nothing.' : `Its last lines: ${said}`;
    return new DriverFailure(`the program ${this.#child.ended()}. ${lines}`, { what: 'unreachable' });
  }
}

/** Limits what is shown of a line that is no answer. */
const MAX_SHOWN_CHARS = 80;

/** @throws DriverFailure when the line is no answer */
function readSeen(line: string, mask: (text: string) => string): Seen {
  const shown = JSON.stringify(mask(line.slice(0, MAX_SHOWN_CHARS)));
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new DriverFailure(`the answer is not one line of JSON: ${shown} (${kindOfText(line)})`, {
      what: 'unexpected-answer',
      cause,
    });
  }
  const parsed = seenSchema.safeParse(value);
  if (parsed.success) return parsed.data as Seen;
  const what = `the answer must have sees (one of ${screens.join(', ')}) and text, and is ${shown}`;
  throw new DriverFailure(what, { what: 'unexpected-answer' });
}
