/** `npm run clock`: shows or moves the clocks of the demo's two servers. */
import { commandLine, programName } from '#service/process/command-line/program-name.ts';
import { SettingsError } from '#service/process/command-line/settings.ts';
import { tellFailure, toolCommand } from '#service/process/command-line/tool-command.ts';
import { clockedServersOf, demoSettings, SERVER_TITLES } from '../settings.ts';
import { type ClockedServers, clockOf, readDuration } from './clocks.ts';
import { type DemoChoice, dataOption, runningControlPorts } from './running-demo.ts';

const DAY_MS = 86_400_000;
const { ehrControlPort, authControlPort } = demoSettings;

const command = toolCommand(programName('clock'))
  .description(
    "Moves the clocks of the demo's EHR server and authorization server; what has expired by then is expired.",
  )
  .option(...controlPortOption(ehrControlPort))
  .option(...controlPortOption(authControlPort))
  .option(...dataOption)
  .addHelpText(
    'after',
    `
Examples:
  ${commandLine('clock', 'advance 9m59.999s')}
  ${commandLine('clock', 'advance 1d12h')}
  ${commandLine('clock', 'show')}`,
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

function controlPortOption({ flag, help, env }: typeof ehrControlPort): [string, string, string | undefined] {
  return [flag, `${help}; absent: that of the demo that runs (env: ${env})`, process.env[env] || undefined];
}

type ClockOptions = DemoChoice & { ehrControlPort?: string; authControlPort?: string };

async function run(duration: string | undefined): Promise<void> {
  const options = command.opts<ClockOptions>();
  try {
    const ms = duration === undefined ? undefined : durationOf(duration);
    const times = await ofServers(serversOf(options), ms);
    for (const server of ['ehr', 'auth'] as const)
      process.stdout.write(`${new Date(times[server]).toISOString()}  ${SERVER_TITLES[server]}\n`);
  } catch (error) {
    process.exitCode = tellFailure(command.name(), error);
  }
}

function durationOf(text: string): number {
  const ms = readDuration(text);
  if (ms === undefined)
    throw new SettingsError(`"${text}" is no duration. Please write one such as 10m, 9m59.999s or 1d12h.`);
  if (ms > 366 * DAY_MS) throw new SettingsError('A clock moves by at most 366 days at once.');
  return ms;
}

type ServerTimes = Record<keyof ClockedServers, number>;

async function ofServers({ ehr, auth }: ClockedServers, ms: number | undefined): Promise<ServerTimes> {
  const ask = async (move?: { advance: number }) => ({
    ehr: await clockOf(ehr, move),
    auth: await clockOf(auth, move),
  });
  // Asks both before moving one: if one does not run, the two would otherwise drift apart.
  const now = await ask();
  return ms === undefined ? now : ask({ advance: ms });
}

/** The ports that were given, else those of the demo that runs on this data, else those of the settings. */
function serversOf(options: ClockOptions): ClockedServers {
  const isGiven = options.ehrControlPort !== undefined && options.authControlPort !== undefined;
  const running = isGiven ? undefined : runningControlPorts(options);
  const portOf = (server: keyof ClockedServers, name: 'ehrControlPort' | 'authControlPort') => {
    const { schema, default: usual } = demoSettings[name];
    const port = schema.safeParse(options[name] ?? String(running?.[server] ?? usual));
    if (port.success) return port.data;
    const [issue] = port.error.issues;
    throw new SettingsError(
      `The control port of ${SERVER_TITLES[server]} ${issue?.message}; given was "${options[name]}".`,
    );
  };
  return clockedServersOf({
    ehrControlPort: portOf('ehr', 'ehrControlPort'),
    authControlPort: portOf('auth', 'authControlPort'),
  });
}
