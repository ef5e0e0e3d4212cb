/** Asks the console of the demo that runs, whose address stands in the directory of its data. */
import { join, resolve } from 'node:path';
import { root } from '#scripts/set-up/set-up.mjs';
import { SettingsError } from '#service/process/settings.ts';
import { consoleAddressIn } from '../prepare/demo-file.ts';
import { CONSOLE_FILE } from '../prepare/prepare.ts';
import { demoSettings } from '../settings.ts';

/** Which console: the directory of the demo's data, and the world of a demo with worlds. */
export type ConsoleChoice = { data: string; world?: string };

const { data } = demoSettings;

/** The options of a command that asks a console, for `option` of commander. */
export const dataOption = [
  data.flag,
  `${data.help} (env: ${data.env})`,
  process.env.DEMO_DATA || data.default,
] as const;
export const worldOption = ['--world <name>', 'the world, of a demo with worlds'] as const;

/**
 * Returns the answer to a request below `/api/`.
 * @throws SettingsError where the console refuses it, Error where there is none
 */
export async function askConsole<Answer>(
  choice: ConsoleChoice,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const { url, token } = consoleOf(choice);
  const response = await fetch(`${url}api/${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new Error(`Failed to reach the console at ${url}. Does the demo run? Start it with npm run demo.`, { cause });
  });
  const answer = (await response.json()) as Answer & { error?: { message: string } };
  if (!response.ok) throw new SettingsError(answer.error?.message ?? `The console answered HTTP ${response.status}.`);
  return answer;
}

/** The file of a demo that runs on this data, if one does. */
export function demoFileOf({ data: directory }: Pick<ConsoleChoice, 'data'>): string {
  return join(resolve(root, directory), CONSOLE_FILE);
}

function consoleOf(choice: ConsoleChoice): { url: string; token: string } {
  const address = new URL(consoleAddressIn(demoFileOf(choice), choice.data, choice.world));
  return { url: new URL('.', address).href, token: address.searchParams.get('token') ?? '' };
}
