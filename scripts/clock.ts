/**
 * `npm run clock`: shows or moves the clocks of the demo's two servers, so that nobody has to wait until time
 * has passed.
 */
import type { z } from 'zod';
import { SettingsError } from '#service/process/settings.ts';
import { toolCommand, UNUSABLE_COMMAND_LINE } from '#service/process/tool-command.ts';
import { demoSettings } from './demo/settings.ts';
import { readDuration } from './duration.ts';
import { type ClockedServer, clockOf } from './server-clock.ts';

const DAY_MS = 86_400_000;
const { ehrControlPort, authControlPort } = demoSettings;

const command = toolCommand('npm run clock --')
  .description(
    "Moves the clocks of the demo's EHR server and authorization server; what has expired by then is expired.",
  )
  .option(
    ehrControlPort.flag,
    `${ehrControlPort.help} (env: ${ehrControlPort.env})`,
    process.env.EHR_CONTROL_PORT || ehrControlPort.default,
  )
  .option(
    authControlPort.flag,
    `${authControlPort.help} (env: ${authControlPort.env})`,
    process.env.AUTH_CONTROL_PORT || authControlPort.default,
  )
  .addHelpText(
    'after',
    '\nExamples:\n  npm run clock -- advance 9m59.999s\n  npm run clock -- advance 1d12h\n  npm run clock -- show',
  );

command
  .command('show')
  .description('show what time it is for each server')
  .action(() => run(show));
command
  .command('advance <duration>')
  .description('move both clocks forward, such as 10m, 9m59.999s or 1d')
  .action((duration: string) => run((servers) => advance(servers, duration)));

await command.parseAsync();

async function run(action: (servers: readonly ClockedServer[]) => Promise<void>): Promise<void> {
  try {
    await action(serversOf(command.opts()));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = error instanceof SettingsError ? UNUSABLE_COMMAND_LINE : 1;
  }
}

function serversOf(options: Record<string, string>): ClockedServer[] {
  const read = (title: string, key: string, setting: { schema: z.ZodType<number> }): ClockedServer => {
    const port = setting.schema.safeParse(options[key]);
    if (!port.success)
      throw new SettingsError(
        `The control port of ${title} ${port.error.issues[0]?.message}; given was "${options[key]}".`,
      );
    return { title, port: port.data };
  };
  return [
    read('the EHR server', 'ehrControlPort', ehrControlPort),
    read('the authorization server', 'authControlPort', authControlPort),
  ];
}

async function show(servers: readonly ClockedServer[]): Promise<void> {
  for (const server of servers) printClock(server, await clockOf(server));
}

async function advance(servers: readonly ClockedServer[], duration: string): Promise<void> {
  const ms = readDuration(duration);
  if (ms === undefined)
    throw new SettingsError(`"${duration}" is no duration. Please write one such as 10m, 9m59.999s or 1d12h.`);
  if (ms > 366 * DAY_MS) throw new SettingsError('A clock moves by at most 366 days at once.');
  // Asks both before moving one: if one does not run, the two would otherwise drift apart.
  await Promise.all(servers.map((server) => clockOf(server)));
  for (const server of servers) printClock(server, await clockOf(server, { advance: ms }));
}

function printClock({ title }: ClockedServer, now: number): void {
  process.stdout.write(`${new Date(now).toISOString()}  ${title}\n`);
}
