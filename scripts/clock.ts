/** `npm run clock`: shows or moves the clocks of the demo's two servers, so that nobody has to wait for ten minutes to pass. */
import { Command } from 'commander';
import { z } from 'zod';
import { demoSettings } from './demo/settings.ts';
import { readDuration } from './duration.ts';

type Server = { readonly title: string; readonly port: number };

const DAY = 86_400_000;
const { ehrControlPort, authControlPort } = demoSettings;

const command = new Command('npm run clock --')
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

async function run(action: (servers: readonly Server[]) => Promise<void>): Promise<void> {
  try {
    await action(serversOf(command.opts()));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

function serversOf(options: Record<string, string>): Server[] {
  const read = (title: string, key: string, setting: { schema: z.ZodType<number> }): Server => {
    const port = setting.schema.safeParse(options[key]);
    if (!port.success)
      throw new Error(`The control port of ${title} ${port.error.issues[0]?.message}; given was "${options[key]}".`);
    return { title, port: port.data };
  };
  return [
    read('the EHR server', 'ehrControlPort', ehrControlPort),
    read('the authorization server', 'authControlPort', authControlPort),
  ];
}

async function show(servers: readonly Server[]): Promise<void> {
  for (const server of servers) tell(server, await clockOf(server));
}

async function advance(servers: readonly Server[], duration: string): Promise<void> {
  const ms = readDuration(duration);
  if (ms === undefined)
    throw new Error(`"${duration}" is no duration. Please write one such as 10m, 9m59.999s or 1d12h.`);
  if (ms > 366 * DAY) throw new Error('A clock moves by at most 366 days at once.');
  // Both are asked before one is moved, so that the two do not drift apart when one does not run.
  await Promise.all(servers.map((server) => clockOf(server)));
  for (const server of servers) tell(server, await clockOf(server, { advance: ms }));
}

function tell({ title }: Server, now: number): void {
  process.stdout.write(`${new Date(now).toISOString()}  ${title}\n`);
}

/** What time it is for a server, after moving its clock when there is something to send. */
async function clockOf({ title, port }: Server, move?: { advance: number }): Promise<number> {
  const url = `http://127.0.0.1:${port}/clock`;
  const request = move && {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(move),
  };
  let response: Response;
  try {
    response = await fetch(url, { ...request, signal: AbortSignal.timeout(5_000) });
  } catch (cause) {
    throw new Error(`Failed to reach the clock of ${title} at ${url}. Does the demo run? Start it with npm run demo.`, {
      cause,
    });
  }
  const answer = z.object({ now: z.number() }).safeParse(await response.json().catch(() => undefined));
  if (response.status !== 200 || !answer.success) {
    throw new Error(
      `${url} did not answer as the clock of ${title} does (HTTP ${response.status}). Is another program using this port?`,
    );
  }
  return answer.data.now;
}
