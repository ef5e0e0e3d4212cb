import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { freePorts } from '#service/http/listener/ports.ts';
import { startProgram } from '#testing/programs/program.ts';
import { example, inDirectory, judged } from './testing/cli.ts';

type File = {
  server: { url: string; start?: { command: string[]; cwd?: string; keeps?: string; env: object } };
  people: { phones?: string | string[] };
};

const ONLY: Readonly<Record<string, string>> = {
  'auth-server':
    'link-recorded,returning-user-saved-directly,sign-on-record-used,calls-accepted,user-sign-digest',
  'ehr-server': 'exchange-token-opens,exchange-token-used-once,disconnect-removes-link,every-property-counts',
  client: 'unlinked-sign-in-leads-to-form,logout-ehr-first',
};

/** Judges a party twice by a file that `change` makes of an example, in a folder that outlives both runs. */
function judgedTwice(
  role: string,
  name: string,
  change: (file: File, directory: string) => Promise<unknown>,
) {
  return inDirectory(async (directory) => {
    const file = parse(readFileSync(example(name), 'utf8')) as File;
    await change(file, directory);
    const config = join(directory, 'party.json');
    writeFileSync(config, JSON.stringify(file));
    const runs = [];
    for (const _run of ['first', 'second']) {
      const { code, output, verdicts } = await judged(role, config, '--only', ONLY[role] ?? '');
      runs.push({ code, outcomes: verdicts.map(({ check, outcome }) => `${check}: ${outcome}`), output });
    }
    return runs;
  });
}

/** Starts the program of the file, as the kit would, and has the kit find it running. */
async function runs(file: File): Promise<void> {
  const names = ['auth', 'public', 'internal', 'control', 'ehr', 'sms'] as const;
  const drawn = await freePorts(names.length);
  const ports = Object.fromEntries(names.map((port, index) => [port, drawn[index]]));
  const { user, password } = (file as unknown as { internal: Record<string, string> }).internal;
  const at = (port: string) => `http://127.0.0.1:${ports[port]}`;
  const values: Record<string, unknown> = { ehrUrl: at('ehr'), smsUrl: at('sms'), internalUser: user };
  Object.assign(values, { internalPassword: password });
  for (const port of names) values[`ports.${port}`] = ports[port];
  const filled = JSON.parse(
    JSON.stringify(file).replace(/\$\{([\w.]+)\}/g, (whole, name) => String(values[name] ?? whole)),
  ) as File;
  const { start } = filled.server;
  const [, ...args] = start?.command ?? [];
  const program = startProgram(args, { cwd: example(''), env: start?.env as Record<string, string> });
  onTestFinished(async () => void (await program.stop()));
  await program.says(/ready at|listening on/);
  delete filled.server.start;
  Object.assign(file, filled, { ports: undefined });
  const { ehr, otp } = file as { ehr?: { listen?: number }; otp?: { sink?: { port: number } } };
  if (ehr) ehr.listen = ports.ehr as number;
  if (otp?.sink) otp.sink.port = ports.sms as number;
}

/** The program of the file, which the kit starts for each run, keeps its state in the folder. */
const keepsIn = (variable: string) => async (file: File, directory: string) => {
  const { start } = file.server;
  if (file.people.phones) file.people.phones = PHONES;
  Object.assign(start?.env ?? {}, { [variable]: join(directory, 'state.sqlite') });
  Object.assign(start ?? {}, { cwd: example(start?.cwd ?? ''), keeps: undefined });
};

/** So many that the second run draws none of the first. */
const PHONES = '7999########';

test.each<[string, string, string, (file: File, directory: string) => Promise<unknown>]>([
  [
    'an authorization server that runs on',
    'auth-server',
    'plain-js.yaml',
    async (file) => {
      file.people.phones = PHONES;
      await runs(file);
    },
  ],
  ['one that was stopped meanwhile', 'auth-server', 'mock.yaml', keepsIn('AUTH_DATABASE')],
  ['an EHR server that runs on', 'ehr-server', 'plain-ehr.yaml', runs],
  ['one that was stopped', 'ehr-server', 'ehr-server.yaml', keepsIn('EHR_DATABASE')],
  [
    'a client',
    'client',
    'plain-client.yaml',
    async (file) => {
      const { client } = file as unknown as { client: { command: string[] } };
      client.command[1] = example(client.command[1] as string);
    },
  ],
])(
  'a second run has the verdict of the first: %s',
  { timeout: 180_000 },
  async (_what, role, name, change) => {
    const [first, second] = await judgedTwice(role, name, change);
    expect(first?.code, first?.output).toBe(0);
    expect(second?.outcomes, second?.output).toEqual(first?.outcomes);
    expect(second?.code, second?.output).toBe(0);
  },
);
