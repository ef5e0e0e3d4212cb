/** `npm run demo`: prepares what is missing, runs parties and console, and leaves no process behind. */
import { rmSync, writeFileSync } from 'node:fs';
import { randomToken, systemRandom } from '#protocol/time/random.ts';
import { SettingsError } from '#service/process/settings.ts';
import { keepOffsets, readOffsets, restoreOffsets } from './demo/clock-offsets.ts';
import { takeDataDirectory } from './demo/data-directory.ts';
import { type ConsoleParts, consoleAddress, partiesOf } from './demo/parties.ts';
import { freePorts, portProblems } from './demo/ports.ts';
import { prepare } from './demo/prepare.ts';
import { untilReady } from './demo/ready.ts';
import { screenOf } from './demo/screen.ts';
import { clockedServersOf, type DemoConfig, portsOf, readDemoConfig } from './demo/settings.ts';
import { supervise } from './demo/supervise.ts';

/** Exit code for invalid settings, the same as that of the parties. */
const EXIT_UNUSABLE_SETTINGS = 2;

try {
  const typed = process.argv.slice(2);
  const config = readDemoConfig(typed, process.env);
  if (config) process.exit(await demo(config, typed));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof SettingsError ? EXIT_UNUSABLE_SETTINGS : 1);
}

/** Runs until it is stopped or a party dies. Returns the exit code. */
async function demo(config: DemoConfig, typed: readonly string[]): Promise<number> {
  const stopped = stopSignal();
  const data = takeDataDirectory(config, typed);
  const problems = await portProblems(portsOf(config), typed);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const prepared = await prepare(config, data, process.env, stopped).catch((error: unknown) => {
    if (!stopped.aborted) throw error;
  });
  if (!prepared) return stoppedAsAsked();

  const consoleParts = config.console ? await openConsoleParts() : undefined;
  const parties = partiesOf(config, prepared, consoleParts);
  const running = supervise(parties);
  if (stopped.aborted) running.stop();
  stopped.addEventListener('abort', () => running.stop());
  const over = new AbortController();
  const ended = running.ended.finally(() => over.abort());
  try {
    await untilReady(parties, AbortSignal.any([stopped, over.signal]));
    const offsets = readOffsets(prepared.clockOffsets);
    const servers = clockedServersOf(config);
    await restoreOffsets(servers, offsets);
    over.signal.addEventListener('abort', keepOffsets(servers, prepared.clockOffsets));
    const address = consoleParts && consoleAddress(config, consoleParts);
    if (address !== undefined) announceConsole(prepared.consoleFile, address);
    process.stdout.write(screenOf(config, { typed, offsets, console: address }));
  } catch (error) {
    running.stop();
    if (!stopped.aborted && !over.signal.aborted) process.stderr.write(`${(error as Error).message}\n`);
  }
  const ending = await ended;
  rmSync(prepared.consoleFile, { force: true });
  data.release();
  // Ctrl-C reaches the parties at the same time: one that ends before this process sees the signal has not
  // died.
  if (stopped.aborted) return stoppedAsAsked();
  if (ending.died) process.stderr.write(`Stopped: ${ending.died.title} ${ending.how}.\n`);
  return 1;
}

async function openConsoleParts(): Promise<ConsoleParts> {
  const [ehr = 0, internal = 0, auth = 0] = await freePorts(3);
  return { token: randomToken(systemRandom), behind: { ehr, internal, auth } };
}

/** Tells `npm run fault` where the console is. Only this user can read the file. */
function announceConsole(file: string, address: string): void {
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify({ address })}\n`, { mode: 0o600 });
}

function stoppedAsAsked(): number {
  process.stdout.write('Stopped.\n');
  return 0;
}

/** Returns a signal that fires when the demo must stop: on Ctrl-C, a request to end, or a closed terminal. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort());
  return controller.signal;
}
