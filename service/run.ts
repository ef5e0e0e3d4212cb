/** Running a party as a process: one clear sentence when it cannot start, and a clean stop on Ctrl-C or SIGTERM. */
import { systemClock } from '#protocol/clock.ts';
import { SettingsError } from './settings.ts';

/** Exit code of a program whose settings cannot be used. */
const UNUSABLE_SETTINGS = 2;

/** A stop that takes longer than this is cut, in milliseconds. */
const STOP_LIMIT = 5_000;

/**
 * Starts a party and stops it on SIGINT, SIGTERM or SIGHUP.
 * @param start resolves to the function that stops the party, or to undefined when there is nothing to run (`--help`)
 * @param stopLimit how long the stop may take, in milliseconds
 */
export async function runParty(
  start: () => Promise<(() => Promise<void>) | undefined>,
  stopLimit: number = STOP_LIMIT,
): Promise<void> {
  try {
    const stop = await start();
    if (stop) stopOnSignal(stop, stopLimit);
  } catch (error) {
    // Not by exitCode alone: what was opened before the failure, such as a port, would keep the process alive.
    exitWith(sentenceOf(error), error instanceof SettingsError ? UNUSABLE_SETTINGS : 1);
  }
}

function stopOnSignal(stop: () => Promise<void>, stopLimit: number): void {
  let stopping = false;
  const onSignal = () => {
    // A terminal sends Ctrl-C to the whole group and npm passes it on once more; only the first one counts.
    if (stopping) return;
    stopping = true;
    systemClock.after(stopLimit, () => exitWith(`Failed to stop within ${stopLimit / 1_000} s: gave up waiting.`, 1));
    stop().then(
      () => process.exit(0),
      (error: unknown) => exitWith(`Failed to stop cleanly: ${sentenceOf(error)}`, 1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Exits once the sentence is written: to a pipe that may take a moment. */
function exitWith(sentence: string, code: number): void {
  process.stderr.write(`${sentence}\n`, () => process.exit(code));
}
