/**
 * `npm run clock`: shows or moves the clocks of the demo's two servers, so that nobody has to wait until time
 * has passed.
 */
import type { z } from 'zod';
import type { ClockState } from '#console/api.ts';
import { SettingsError } from '#service/process/settings.ts';
import { tellFailure, toolCommand } from '#service/process/tool-command.ts';
import { controlPortsIn } from '../prepare/demo-file.ts';
import { demoSettings } from '../settings.ts';
import { askConsole, type ConsoleChoice, dataOption, demoFileOf, worldOption } from './ask-console.ts';
import { readDuration } from './duration.ts';
import { type ClockedServer, clockOf } from './server-clock.ts';

const DAY_MS = 86_400_000;
const EHR_SERVER = 'the EHR server';
const AUTH_SERVER = 'the authorization server';
const { ehrControlPort, authControlPort } = demoSettings;

const command = toolCommand('npm run clock --')
  .description(
    "Moves the clocks of the demo's EHR server and authorization server; what has expired by then is expired.",
  )
  .option(
    ehrControlPort.flag,
    `${ehrControlPort.help}; absent: that of the demo that runs (env: ${ehrControlPort.env})`,
    process.env.EHR_CONTROL_PORT || undefined,
  )
  .option(
    authControlPort.flag,
    `${authControlPort.help}; absent: that of the demo that runs (env: ${authControlPort.env})`,
    process.env.AUTH_CONTROL_PORT || undefined,
  )
  .option(...dataOption)
  .option(...worldOption)
  .addHelpText(
    'after',
    `
Examples:
  npm run clock -- advance 9m59.999s
  npm run clock -- advance 1d12h
  npm run clock -- show
  npm run clock -- --world anna advance 10m`,
  );

command
  .command('show')
  .description('show what time it is for each server')
  .action(() => run(undefined));
command
  .command('advance <duration>')
  .description('move both clocks forward, such as 10m, 9m59.999s or 1d')
  .action((duration: string) => run(duration));

await command.parseAsync();

/** @param duration how far both clocks are moved; undefined shows them */
async function run(duration: string | undefined): Promise<void> {
  const options = command.opts<Record<string, string> & ConsoleChoice>();
  try {
    const ms = duration === undefined ? undefined : durationOf(duration);
    if (options.world !== undefined) await runWorld(options, ms);
    else await runServers(serversOf(options), ms);
  } catch (error) {
    process.exitCode = tellFailure(command.name(), error);
  }
}

type PortSetting = { schema: z.ZodType<number>; default: string };

function durationOf(text: string): number {
  const ms = readDuration(text);
  if (ms === undefined)
    throw new SettingsError(`"${text}" is no duration. Please write one such as 10m, 9m59.999s or 1d12h.`);
  if (ms > 366 * DAY_MS) throw new SettingsError('A clock moves by at most 366 days at once.');
  return ms;
}

/** The servers of a world have no control port of their own: its console moves them. */
async function runWorld(choice: ConsoleChoice, ms: number | undefined): Promise<void> {
  const { now, skewMs } =
    ms === undefined
      ? await askConsole<ClockState>(choice, 'GET', 'clock')
      : await askConsole<ClockState>(choice, 'POST', 'clock', { advanceMs: ms });
  printClock(EHR_SERVER, now + skewMs.ehr);
  printClock(AUTH_SERVER, now + skewMs.auth);
}

async function runServers(servers: readonly ClockedServer[], ms: number | undefined): Promise<void> {
  // Asks both before moving one: if one does not run, the two would otherwise drift apart.
  const times = await Promise.all(servers.map((server) => clockOf(server)));
  for (const [index, server] of servers.entries())
    printClock(server.title, ms === undefined ? (times[index] as number) : await clockOf(server, { advance: ms }));
}

/** The ports that were given, else those of the demo that runs on this data, else those of the settings. */
function serversOf(options: Record<string, string> & ConsoleChoice): ClockedServer[] {
  const given = options.ehrControlPort !== undefined && options.authControlPort !== undefined;
  const running = given ? undefined : controlPortsIn(demoFileOf(options));
  const read = (title: string, key: string, setting: PortSetting, ofDemo: number | undefined): ClockedServer => {
    const port = setting.schema.safeParse(options[key] ?? (ofDemo === undefined ? setting.default : String(ofDemo)));
    if (!port.success)
      throw new SettingsError(
        `The control port of ${title} ${port.error.issues[0]?.message}; given was "${options[key]}".`,
      );
    return { title, port: port.data };
  };
  return [
    read(EHR_SERVER, 'ehrControlPort', ehrControlPort, running?.ehr),
    read(AUTH_SERVER, 'authControlPort', authControlPort, running?.auth),
  ];
}

function printClock(title: string, now: number): void {
  process.stdout.write(`${new Date(now).toISOString()}  ${title}\n`);
}
