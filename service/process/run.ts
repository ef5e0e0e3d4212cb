/**
 * Runs a party as a process: one clear sentence when it cannot start, and a clean stop on Ctrl-C or SIGTERM.
 */
import { systemClock } from '#protocol/time/clock.ts';
import { SettingsError, UNUSABLE_COMMAND_LINE } from './command-line/settings.ts';

/** A process that takes longer than this to stop exits at once. */
const STOP_TIMEOUT_MS = 5_000;

/** Stops a party. Settles when it has stopped. */
type Stop = () => Promise<void>;

/**
 * Start a party and stop it on SIGINT or SIGTERM, and on SIGHUP unless it has certificates to read again. A
 * party that is still starting is stopped when it has started.
 * @param start resolves to the function that stops the party, or to undefined when there is nothing to run
 *   (`--help`)
 */
export async function runParty(
  start: () => Promise<Stop | undefined>,
  stopTimeoutMs: number = STOP_TIMEOUT_MS,
): Promise<void> {
  // Listen before the start: a caller that reads that the party is ready may send the signal in the same
  // moment.
  const signalled = firstSignal();
  const started = start();
  void signalled.then(() => stopOnce(started, stopTimeoutMs));
  try {
    await started;
  } catch (error) {
    // Exit explicitly: a port that was opened before the failure would keep the process alive.
    exitWith(sentenceOf(error), error instanceof SettingsError ? UNUSABLE_COMMAND_LINE : 1);
  }
}

/**
 * Resolve on the first signal and ignore later ones: a terminal sends Ctrl-C to the whole process group, and
 * npm passes it on once more.
 */
function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
    process.on('SIGHUP', () => {
      // A party with certificates reads them again instead.
      if (process.listeners('SIGHUP').length === 1) resolve();
    });
  });
}

async function stopOnce(started: Promise<Stop | undefined>, stopTimeoutMs: number): Promise<void> {
  systemClock.after(stopTimeoutMs, () =>
    exitWith(`Failed to stop within ${stopTimeoutMs / 1_000} s: gave up waiting.`, 1),
  );
  // If the start fails, runParty reports it and exits.
  const stop = await started.catch(() => new Promise<never>(() => undefined));
  try {
    await stop?.();
    process.exit(0);
  } catch (error) {
    exitWith(`Failed to stop cleanly: ${sentenceOf(error)}`, 1);
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Exit once the sentence is written. Writing to a pipe may take a moment. */
function exitWith(sentence: string, code: number): void {
  process.stderr.write(`${sentence}\n`, () => process.exit(code));
}
