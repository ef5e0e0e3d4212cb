/** Plays a rerun more than once: until nothing is red, or whenever the server was restarted. */
import { type Clock, deadline } from '#protocol/time/clock.ts';
import { EXIT } from '../../check/verdict.ts';
import { InputError } from '../../input-error.ts';
import type { Env } from '../../party/file/env.ts';
import { ServerStartError } from '../../party/process/server-process.ts';
import { pause } from '../../party/requests/pause.ts';
import type { Role } from '../../role.ts';
import { Stop } from './common.ts';
import { restarted } from './restarted.ts';

/** Options of the command line that say whether and when it is played more than once. */
export type RepeatOptions = {
  /** True: play whenever the server is back after a restart. */
  watch: boolean;
  /** True: play until nothing is red. */
  untilGreen: boolean;
  /** No round begins after this time. */
  forSeconds?: number;
};

/** How one round ended. */
export type Round = {
  exitCode: number;
  /** The lines for the user. */
  text: string;
  /** The part of the text that is equal after two rounds which found the same. */
  brief: string;
};

type Repeating = RepeatOptions & {
  role: Pick<Role, 'address' | 'party'>;
  config: string;
  clock: Clock;
  env: Env;
  /** Ctrl-C: it ends the waiting. */
  signal: AbortSignal;
  play(): Promise<Round>;
  write(text: string): void;
};

/** Pause (ms) between two rounds that nothing else separates. */
const PAUSE_MS = 2_000;

/** @throws InputError when a time is given to a single round */
export function requireFitting({ watch, untilGreen, forSeconds }: RepeatOptions): void {
  if (forSeconds !== undefined && !watch && !untilGreen)
    throw new InputError('--for-seconds goes with --until-green or --watch. Please add one of them.');
}

/**
 * Plays rounds until nothing is red (`untilGreen`), the time is over, or Ctrl-C.
 * @returns the exit code of the last round
 * @throws InputError when the file leaves no restart to watch for
 * @throws Stop when a file about the party is wrong
 */
export async function repeated(repeating: Repeating): Promise<number> {
  const { clock, untilGreen, write } = repeating;
  const address = repeating.watch ? await addressOf(repeating) : undefined;
  const { signal, end } = timed(repeating);
  let last: string | undefined;
  try {
    for (;;) {
      const { exitCode, text, brief } = await roundOf(repeating);
      if (brief !== last) write(text);
      last = brief;
      if (untilGreen && exitCode === EXIT.conformant) return exitCode;
      // A server that answers only later, or wrongly, may be mended without another restart.
      if (address === undefined || exitCode === EXIT.notSetUp) await pause(clock, PAUSE_MS, signal);
      else {
        await nextStart(address, { clock, signal, write });
        last = undefined;
      }
      if (signal.aborted) return exitCode;
    }
  } finally {
    end();
  }
}

/** The address of the server whose restarts are watched. */
async function addressOf({ role, config, env }: Repeating): Promise<string> {
  const instead = 'Please use --until-green';
  if (!role.address)
    throw new InputError(`--watch waits for a server to come back, and a ${role.party} is none. ${instead}.`);
  const address = await role.address(config, env);
  if (address !== undefined) return address;
  throw new InputError(
    `--watch waits until your server is back after a restart, but by server.start of ${config} each round starts it. ${instead}, or start the server yourself and leave server.start out.`,
  );
}

/** Ends with Ctrl-C, or when the time is over. */
function timed({ signal, clock, forSeconds }: Repeating): { signal: AbortSignal; end: () => void } {
  if (forSeconds === undefined) return { signal, end: () => undefined };
  const time = deadline(clock, forSeconds * 1_000, new Error('The time is over.'));
  return { signal: AbortSignal.any([signal, time.signal]), end: time.cancel };
}

/** Plays a round. A server that is not there, or does not start, is a round that found it so. */
async function roundOf({ play }: Repeating): Promise<Round> {
  try {
    return await play();
  } catch (error) {
    // Without a cause it is what the doctor says. The causes are files that are wrong, but for one.
    const isPassing = error instanceof Stop && (!error.cause || error.cause instanceof ServerStartError);
    if (!isPassing) throw error;
    return { exitCode: error.exitCode, text: error.message, brief: error.message };
  }
}

type NextStart = Pick<Repeating, 'clock' | 'signal' | 'write'>;

/** Waits until the server was restarted, and tells so. */
async function nextStart(address: string, { write, ...waiting }: NextStart): Promise<void> {
  write(`\nWaiting until ${address} is restarted. Ctrl-C ends.`);
  await restarted(address, { ...waiting, onGone: () => write('It is gone: waiting until it is back.') });
  if (!waiting.signal.aborted) write('It is back.\n');
}
