import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from '#testing/programs/program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { choosePorts, withPorts } from './engine/party/process/server-process.ts';
import { fill } from './engine/party/requests/template.ts';
import { example, judged, readExample, writeParty } from './testing/cli.ts';

type File = {
  ports: Record<string, number>;
  server: { start?: { command: string[]; env: Record<string, string> } };
  internal: { user: string; password: string };
  people?: { phones?: string | string[] };
  ehr?: { listen: number | undefined };
  otp?: { sink?: { port: number | undefined } };
};

const ONLY: Readonly<Record<string, string>> = {
  'auth-server': 'link-recorded,sign-on-record-used,calls-accepted',
  'ehr-server': 'exchange-token-opens,exchange-token-used-once,disconnect-removes-link,every-property-counts',
  client: 'unlinked-sign-in-leads-to-form,logout-ehr-first',
};

/** A pattern of so many phones that the second run draws none of the first again. */
const PHONES = '7999########';

const LISTED = Array.from({ length: 40 }, (_, index) => `79995550${100 + index}`);

/** Judges a party twice by a file that `change` makes of an example, in a folder that outlives both runs. */
async function judgedTwice(
  role: string,
  name: string,
  change: (file: File, directory: string) => Promise<unknown>,
) {
  const directory = temporaryFolder();
  const file = readExample<File>(name);
  if (file.people?.phones) file.people.phones = PHONES;
  await change(file, directory);
  const config = writeParty(directory, file);
  const runs = [];
  for (const _run of ['first', 'second']) {
    const { code, output, verdicts } = await judged(role, config, '--only', ONLY[role] ?? '');
    runs.push({ code, outcomes: verdicts.map(({ check, outcome }) => `${check}: ${outcome}`), output });
  }
  return runs;
}

/** Starts the program of the file, as the kit would, and has the kit find it running. */
async function startBefore(file: File): Promise<void> {
  const ports = await choosePorts({ ...file.ports, ehr: 0, sms: 0 });
  Object.assign(file, withPorts(file, ports), { ports: undefined });
  const { server, internal, ehr, otp } = file;
  const { command = [], env = {} } = server.start ?? {};
  delete server.start;
  const at = (port: string) => `http://127.0.0.1:${ports[port]}`;
  const urls = { ehrUrl: at('ehr'), smsUrl: at('sms') };
  const values = { ...urls, internalUser: internal.user, internalPassword: internal.password };
  const filled = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, fill(text, values)]));
  const program = startProgram(command.slice(1), { cwd: example(''), env: filled });
  onTestFinished(async () => void (await program.stop()));
  await program.says(/ready at|listening on/);
  if (ehr) ehr.listen = ports.ehr;
  if (otp?.sink) otp.sink.port = ports.sms;
}

/** The program of the file, which the kit starts for each run, keeps its state in the folder. */
const keepsIn =
  (variable: string) =>
  async ({ server: { start } }: File, directory: string) => {
    Object.assign(start?.env ?? {}, { [variable]: join(directory, 'state.sqlite') });
    Object.assign(start ?? {}, { keeps: undefined });
  };

test.each<[string, string, string, (file: File, directory: string) => Promise<unknown>]>([
  ['an authorization server that runs on', 'auth-server', 'plain-js.yaml', startBefore],
  [
    'one whose listed phones are linked already',
    'auth-server',
    'plain-js.yaml',
    async (file) => {
      file.people = { ...file.people, phones: LISTED };
      await startBefore(file);
    },
  ],
  ['one that was stopped meanwhile', 'auth-server', 'mock.yaml', keepsIn('AUTH_DATABASE')],
  ['an EHR server that runs on', 'ehr-server', 'plain-ehr.yaml', startBefore],
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
