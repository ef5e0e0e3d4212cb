/** The demo that runs: the file that tells where it is, and requests to its console. */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commandLine } from '#service/process/command-line/program-name.ts';
import { SettingsError } from '#service/process/command-line/settings.ts';
import { demoSettings } from '../settings.ts';

export type DemoChoice = { data: string };

const { data } = demoSettings;

export const dataOption = [
  data.flag,
  `${data.help} (env: ${data.env})`,
  process.env.DEMO_DATA || data.default,
] as const;

/** Answers a request below `/api/`. Throws a SettingsError where the console refuses it. */
export async function askConsole<Answer>(
  choice: DemoChoice,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const address = new URL(consoleAddress(choice));
  const url = new URL('.', address).href;
  const response = await fetch(`${url}api/${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${address.searchParams.get('token')}`,
      'Content-Type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new Error(
      `Failed to reach the console at ${url}. Does the demo run? Start it with ${commandLine('demo')}.`,
      { cause },
    );
  });
  const answer = (await response.json()) as Answer & { error?: { message: string } };
  if (!response.ok)
    throw new SettingsError(answer.error?.message ?? `The console answered HTTP ${response.status}.`);
  return answer;
}

/** Returns the control ports of the two servers. Undefined when no demo runs on this data. */
export function runningControlPorts(choice: DemoChoice): ControlPorts | undefined {
  return demoFileOf(choice)?.control;
}

function consoleAddress(choice: DemoChoice): string {
  const found = demoFileOf(choice);
  if (!found)
    throw new Error(
      `No demo runs on the data in ${choice.data}. Please start one with ${commandLine('demo')}, or name its --data.`,
    );
  if (found.address === undefined)
    throw new Error('This demo has no console. Please start it without --no-console.');
  return found.address;
}

function demoFileOf({ data }: DemoChoice): DemoFile | undefined {
  const file = join(resolve(data), CONSOLE_FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoFile) : undefined;
}

/** Its name in the directory of the demo's data. It is there while the demo runs. */
export const CONSOLE_FILE = 'console.json';

type ControlPorts = { readonly ehr: number; readonly auth: number };

/** The address of the console with its token, if there is one, and the control ports. */
export type DemoFile = { readonly address?: string | undefined; readonly control: ControlPorts };

/** Only this user can read the file. */
export function writeDemoFile(file: string, content: DemoFile): void {
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: 'wx' });
}
