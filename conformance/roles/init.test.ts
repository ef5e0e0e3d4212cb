import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { runInit } from '../engine/cli/commands/init.ts';
import { loadAdapter } from './auth-server/adapter/file/load.ts';
import { role as authServer } from './auth-server/index.ts';
import { CODES, TALKS } from './auth-server/init/questions.ts';
import { role as client, WAYS } from './client/index.ts';
import { loadClientFile } from './client/settings.ts';
import { role as ehrServer } from './ehr-server/index.ts';
import { loadEhrFile } from './ehr-server/settings.ts';

const ROLES = { 'auth-server': authServer, 'ehr-server': ehrServer, client };
const env = { EHR_INTERNAL_USER: 'kit', EHR_INTERNAL_PASSWORD: 'secret', A_USER: 'a', A_PASSWORD: 'b' };

function screen() {
  const output = new PassThrough();
  const chunks: Buffer[] = [];
  output.on('data', (chunk: Buffer) => chunks.push(chunk));
  return { output, shown: () => Buffer.concat(chunks).toString('utf8') };
}

/** Runs with answers from a pipe, all at once. */
async function piped(
  answers: readonly string[],
  file = join(temporaryFolder(), 'server.yaml'),
  { force = false, role = 'auth-server' }: { force?: boolean; role?: keyof typeof ROLES } = {},
) {
  const { output, shown } = screen();
  const input = Readable.from(answers.map((answer) => `${answer}\n`).join('') || []);
  await runInit({ input, output, file, force, role: ROLES[role] });
  return { file, text: readFileSync(file, 'utf8'), shown: shown() };
}

/** Runs before a person at a terminal, who types when a question is shown. */
function atTerminal(file: string) {
  const { output, shown } = screen();
  const input = Object.assign(new PassThrough(), { isTTY: true });
  onTestFinished(() => void input.end());
  const result = runInit({ input, output, file, role: authServer });
  const type = async (question: string, keys: string) => {
    await expect.poll(shown).toContain(question);
    input.write(keys);
  };
  return { result, type, input, shown };
}

test('answers from a pipe are taken in turn, and the file has them', async () => {
  const answers = [
    'Anna\'s "server": #1',
    'https://auth.example.org/api/',
    'json-rpc',
    '4',
    'EHR_ADDRESS in k8s/auth.yaml: line 3',
    'A_USER',
    'A_PASSWORD',
    '+4915#####',
  ];
  const { file, text, shown } = await piped(answers);
  const { settings } = await loadAdapter(file, env);
  expect(settings).toMatchObject({
    name: 'Anna\'s "server": #1',
    server: { url: 'https://auth.example.org/api/' },
    internal: { user: 'a', password: 'b' },
    ehr: { configuredIn: 'EHR_ADDRESS in k8s/auth.yaml: line 3' },
    otp: { fixed: { code: '0000' } },
    people: { phones: '+4915#####' },
    steps: { confirmOtp: { rpc: 'auth.confirm_otp' } },
  });
  expect(text).not.toContain('\n\n\n');
  expect(text).toContain('\n\npeople:');
  expect(shown).toContain(`Wrote ${file}.`);
  expect(shown).toContain('Set A_USER and A_PASSWORD to what your server has.');
});

test('where a pipe ends, the usual answers are taken', async () => {
  const { file } = await piped([]);
  const { settings } = await loadAdapter(file, env);
  expect(settings).toMatchObject({
    name: 'My authorization server',
    otp: { sink: { port: 4181, shape: 'json' } },
    steps: { confirmOtp: { method: 'POST', path: '/login' } },
  });
});

for (const talks of TALKS) {
  test(`the file for a server driven by ${talks} works with every way of codes`, async () => {
    for (const codes of CODES) {
      const { file, text } = await piped(['', '', talks, ...(talks === 'person' ? [] : [codes])]);
      await expect(loadAdapter(file, env), codes).resolves.toBeDefined();
      expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120);
    }
  });
}

test('the file names its schema for editors, relative to itself', async () => {
  const { file, text } = await piped([]);
  const schema = /\$schema=(\S+)/.exec(text)?.[1] as string;
  expect(schema.startsWith('/')).toBe(false);
  expect(JSON.parse(readFileSync(join(dirname(file), schema), 'utf8'))).toHaveProperty(
    'title',
    'Adapter file of the conformance kit',
  );
});

test('the file about an EHR server has the answers, and can be used', async () => {
  const [url, internalUrl] = ['https://ehr.example.org/v1/', 'http://10.0.0.1:8081/v1/'];
  const answers = ['Ehr "1"', url, internalUrl, 'A_USER', 'A_PASSWORD', 'yes'];
  const { file, text, shown } = await piped(answers, undefined, { role: 'ehr-server' });
  const { settings } = loadEhrFile(file, env);
  expect(settings).toMatchObject({
    name: 'Ehr "1"',
    server: { url },
    internalUrl,
    internal: { user: 'a', password: 'b' },
    control: { advanceClock: { method: 'POST' } },
  });
  expect(text).not.toContain('\n\n\n');
  expect(shown).toContain('Set A_USER and A_PASSWORD to what your server has.');
  expect(shown).toContain(`ehr-server --config ${file} --doctor`);
});

test('the usual answers are one endpoint for both channels, and no clock', async () => {
  const { file, text } = await piped([], undefined, { role: 'ehr-server' });
  const { settings } = loadEhrFile(file, env);
  expect([settings.internalUrl, settings.control]).toEqual([undefined, {}]);
  expect(text).not.toContain('\n\n\n');
});

for (const way of WAYS) {
  test(`the file about a client driven by a ${way} can be used`, async () => {
    const place = way === 'program' ? './adapter.py' : 'http://127.0.0.1:9000/';
    const answers = ['Mine', way, place, '5001', '5002'];
    const { file, text, shown } = await piped(answers, undefined, { role: 'client' });
    const { settings } = loadClientFile(file, env);
    expect(settings).toMatchObject({ name: 'Mine', ports: { auth: 5_001, ehr: 5_002 } });
    const { client, browser } = settings;
    expect(client?.command[0] ?? browser?.address).toBe(place);
    expect(text).not.toContain('\n\n\n');
    expect(shown).toContain(`client --config ${file} --doctor`);
  });
}

test('the usual answers about a client are a program and free ports', async () => {
  const { file } = await piped([], undefined, { role: 'client' });
  const { client, ports } = loadClientFile(file, env).settings;
  expect([client?.command[0], ports]).toEqual(['./my-adapter', { auth: 0, ehr: 0, page: 0 }]);
});

test('a client is started by a command line, with its addresses where it says', async () => {
  const commandOf = async (line: string) => {
    const { file } = await piped(['', 'program', line], undefined, { role: 'client' });
    return loadClientFile(file, env).settings.client?.command;
  };
  const addresses = ['authUrl', 'ehrUrl', 'storage'].map((name) => `\${${name}}`);
  expect(await commandOf('python3 "my driver.py"')).toEqual(['python3', 'my driver.py', ...addresses]);
  const [auth] = addresses;
  expect(await commandOf(`java -jar a.jar --auth=${auth}`)).toEqual([
    'java',
    '-jar',
    'a.jar',
    `--auth=${auth}`,
  ]);
});

const unusable: [string, string[], string][] = [
  [
    'address',
    ['', 'localhost:8080'],
    'Its base URL, as reached from here: "localhost:8080" must be an http or https address',
  ],
  ['choice', ['', '', 'soap'], 'Number or name: "soap" is none of rest, json-rpc, person.'],
  [
    'variable',
    ['', '', '', '', '', 'MY USER'],
    'Environment variable with its internal user name: "MY USER" must be the name of an environment variable.',
  ],
  [
    'pattern',
    ['', '', '', '', '', '', '', '79995551###'],
    'Phones to sign in with, # for any digit: "79995551###" must have at least four #, so that the phones suffice.',
  ],
];

for (const [what, answers, message] of unusable) {
  test(`an unusable ${what} from a pipe ends it, and nothing is written`, async () => {
    const file = join(temporaryFolder(), 'server.yaml');
    const error = { name: 'InputError', message: expect.stringContaining(`write the file: ${message}`) };
    await expect(piped(answers, file)).rejects.toMatchObject(error);
    expect(readdirSync(dirname(file))).toEqual([]);
  });
}

test('a person is asked again until the answer can be used', async () => {
  const file = join(temporaryFolder(), 'server.yaml');
  const { result, type } = atTerminal(file);
  await type('Name of your', 'Mine\r');
  await type('base URL', 'nonsense\r');
  await type('"nonsense" must be an http or https address', 'http://127.0.0.1:9000\r');
  await type('How does a client talk', '9\r');
  await type('"9" is none of rest, json-rpc, person.', '2\r');
  await type('one-time code', 'ASK\r');
  await type('address of the EHR server', '\r');
  await type('internal user name', '\r');
  await type('internal password', '\r');
  await type('Phones to sign in', '\r');
  expect(await result).toBe(file);
  const { settings } = await loadAdapter(file, env);
  const server = { url: 'http://127.0.0.1:9000' };
  expect(settings).toMatchObject({ name: 'Mine', server, otp: { ask: true } });
});

for (const [key, keys] of [
  ['Ctrl-C', '\x03'],
  ['Ctrl-D', '\x04'],
] as const) {
  test(`${key} breaks off, and nothing is written`, async () => {
    const file = join(temporaryFolder(), 'server.yaml');
    const { result, type } = atTerminal(file);
    const ending = expect(result).rejects.toThrow('Stopped: nothing was written.');
    await type('Name of your', 'Mine\r');
    await type('base URL', keys);
    await ending;
    expect(existsSync(file)).toBe(false);
  });
}

test('a file that is there is left alone unless it is to be replaced', async () => {
  const file = join(temporaryFolder(), 'server.yaml');
  writeFileSync(file, 'mine');
  await expect(piped([], file)).rejects.toThrow(
    `Failed to write ${file}: it is there already. Please name another file, or add --force to replace it.`,
  );
  expect(readFileSync(file, 'utf8')).toBe('mine');
  await piped(['Replaced'], file, { force: true });
  expect(readFileSync(file, 'utf8')).toContain('name: "Replaced"');
  expect(readdirSync(dirname(file))).toEqual(['server.yaml']);
});

test('a file that appears while questions are asked is left alone', async () => {
  const file = join(temporaryFolder(), 'server.yaml');
  const { result, type } = atTerminal(file);
  const ending = expect(result).rejects.toThrow('it is there already');
  await type('Name of your', 'Mine\r');
  writeFileSync(file, 'mine');
  const before = ['base URL', 'talk to it', 'one-time code', 'address of the EHR', 'internal user'];
  for (const question of [...before, 'internal password', 'Phones']) await type(question, '\r');
  await ending;
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

test('a name or a directory that cannot be is told before anything is asked', async () => {
  const { output, shown } = screen();
  const run = (file: string) => runInit({ input: Readable.from([]), output, file, role: authServer });
  await expect(run('server.json')).rejects.toThrow(
    'Failed to write server.json: its name must end in .yaml or .yml.',
  );
  const inNone = run(join(temporaryFolder(), 'no', 'server.yaml'));
  await expect(inNone).rejects.toThrow('its directory does not exist.');
  expect(shown()).toBe('');
});
