/** `npm run demo`: prepares what is missing, runs the three parties, and leaves nothing behind when it ends. */
import { SettingsError } from '#service/settings.ts';
import { partiesOf } from './demo/parties.ts';
import { portProblems } from './demo/ports.ts';
import { prepare } from './demo/prepare.ts';
import { untilReady } from './demo/ready.ts';
import { screenOf } from './demo/screen.ts';
import { type DemoConfig, portsOf, readDemoConfig } from './demo/settings.ts';
import { supervise } from './demo/supervise.ts';

/** Exit code of a program whose settings cannot be used, as the parties have it. */
const UNUSABLE_SETTINGS = 2;

try {
  const config = readDemoConfig(process.argv.slice(2), process.env);
  if (config) process.exit(await demo(config));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof SettingsError ? UNUSABLE_SETTINGS : 1);
}

/** Runs until it is stopped or a party dies; returns the exit code. */
async function demo(config: DemoConfig): Promise<number> {
  const stopped = stopSignal();
  const problems = await portProblems(portsOf(config));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const prepared = await prepare(config, stopped).catch((error: unknown) => {
    if (!stopped.aborted) throw error;
  });
  if (!prepared) return stoppedAsAsked();

  const parties = partiesOf(config, prepared);
  const running = supervise(parties);
  if (stopped.aborted) running.stop();
  stopped.addEventListener('abort', () => running.stop());
  const over = new AbortController();
  const ended = running.ended.finally(() => over.abort());
  try {
    await untilReady(parties, AbortSignal.any([stopped, over.signal]));
    process.stdout.write(screenOf(config));
  } catch (error) {
    running.stop();
    if (!stopped.aborted && !over.signal.aborted) process.stderr.write(`${(error as Error).message}\n`);
  }
  const ending = await ended;
  // Ctrl-C reaches the parties as soon as us: one that ends before we have heard of it has not died.
  if (stopped.aborted) return stoppedAsAsked();
  if (ending.died) process.stderr.write(`Stopped: ${ending.died.title} ${ending.how}.\n`);
  return 1;
}

function stoppedAsAsked(): number {
  process.stdout.write('Stopped.\n');
  return 0;
}

/** Fires when the demo is to stop: Ctrl-C, a request to end, or a closed terminal. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort());
  return controller.signal;
}
