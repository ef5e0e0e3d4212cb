/** `npm run demo`: prepares what is missing, runs parties and console, and leaves no process behind. */
import { rmSync } from 'node:fs';
import { randomToken, systemRandom } from '#protocol/time/random.ts';
import { freePorts } from '#service/http/listener/ports.ts';
import { SettingsError, UNUSABLE_COMMAND_LINE } from '#service/process/command-line/settings.ts';
import { keepOffsets, readOffsets, restoreOffsets } from './commands/clocks.ts';
import { type DemoFile, writeDemoFile } from './commands/running-demo.ts';
import { takeDataDirectory } from './prepare/data-directory.ts';
import { portProblem } from './prepare/ports.ts';
import { type Prepared, prepare } from './prepare/prepare.ts';
import { type ConsoleParts, consoleAddress, type DemoParty, partiesOf } from './run/parties.ts';
import { publishPorts } from './run/publish.ts';
import { supervise, untilReady } from './run/supervise.ts';
import { screenOf } from './screen.ts';
import { clockedServersOf, type DemoConfig, portsOf, readDemoConfig } from './settings.ts';

try {
  const typed = process.argv.slice(2);
  const config = readDemoConfig(typed, process.env);
  if (config) process.exit(await demo(config, typed));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof SettingsError ? UNUSABLE_COMMAND_LINE : 1);
}

async function demo(config: DemoConfig, typed: readonly string[]): Promise<number> {
  const stopped = stopSignal();
  const data = takeDataDirectory(config, typed);
  if (data.whyInMemory !== undefined)
    process.stdout.write(`Everything is kept in memory until the demo stops: ${data.whyInMemory}.\n`);
  const problem = await portProblem(portsOf(config), typed);
  if (problem !== undefined) throw new Error(problem);
  const prepared = await prepare(config, data, process.env, stopped).catch((error: unknown) => {
    if (!stopped.aborted) throw error;
  });
  if (!prepared) return stoppedAsAsked();

  const plan = await planOf(config, prepared, typed);
  const running = supervise(plan.parties);
  if (stopped.aborted) running.stop();
  stopped.addEventListener('abort', () => running.stop());
  const over = new AbortController();
  const ended = running.ended.finally(() => over.abort());
  try {
    if (config.published) await publishPorts(config);
    await untilReady(plan.parties, AbortSignal.any([stopped, over.signal]));
    const screen = await plan.whenReady(over.signal);
    writeDemoFile(prepared.consoleFile, plan.addresses);
    process.stdout.write(screen);
  } catch (error) {
    running.stop();
    if (!stopped.aborted && !over.signal.aborted) process.stderr.write(`${(error as Error).message}\n`);
  }
  const ending = await ended;
  rmSync(prepared.consoleFile, { force: true });
  data.release();
  // Ctrl-C reaches the parties too: one that ends before this process sees the signal has not died.
  if (stopped.aborted) return stoppedAsAsked();
  if (ending.died) process.stderr.write(`Stopped: ${ending.died.title} ${ending.how}.\n`);
  return 1;
}

function stoppedAsAsked(): number {
  process.stdout.write('Stopped.\n');
  return 0;
}

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort());
  return controller.signal;
}

type DemoPlan = {
  readonly parties: readonly DemoParty[];
  readonly addresses: DemoFile;
  /** Called once all parties answer. Returns the screen. @param over fires when the demo ends */
  whenReady(over: AbortSignal): Promise<string>;
};

async function planOf(config: DemoConfig, prepared: Prepared, typed: readonly string[]): Promise<DemoPlan> {
  const parts = config.console ? await openConsoleParts() : undefined;
  const address = parts && consoleAddress(config, parts);
  return {
    parties: partiesOf(config, prepared, parts),
    addresses: { address, control: { ehr: config.ehrControlPort, auth: config.authControlPort } },
    async whenReady(over) {
      const offsets = readOffsets(prepared.clockOffsets);
      const servers = clockedServersOf(config);
      await restoreOffsets(servers, offsets);
      over.addEventListener('abort', keepOffsets(servers, prepared.clockOffsets));
      return screenOf(config, { typed, offsets, console: address });
    },
  };
}

async function openConsoleParts(): Promise<ConsoleParts> {
  const [ehr = 0, internal = 0, auth = 0] = await freePorts(3);
  return { token: randomToken(systemRandom), behind: { ehr, internal, auth } };
}
