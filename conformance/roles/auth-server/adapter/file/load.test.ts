import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { AdapterFileError } from '../../../../engine/party/file/problem.ts';
import { readYaml, type Source } from '../../../../engine/party/file/yaml-source.ts';
import {
  loadVariant,
  PASSWORD,
  problemsOf,
  problemsOfFile,
  smallest,
  variant,
  writeTemporary,
} from '../testing/adapter-file.ts';
import { openAdapter, startFakeServer } from '../testing/fake-server.ts';
import { fillPorts, loadAdapter } from './load.ts';

const yaml = (text: string) => writeTemporary('adapter.yaml', text);

test('the examples can be used without any environment', async () => {
  for (const name of ['mock', 'test-login']) {
    const file = fileURLToPath(new URL(`../../../../examples/${name}.yaml`, import.meta.url));
    // Only a module wraps the adapter.
    await expect(loadAdapter(file, {})).resolves.toMatchObject({ file, wrap: undefined });
  }
});

test('a file gives its settings, with defaults and values of the environment', async () => {
  const { settings } = await loadVariant();
  expect(settings).toMatchObject({
    name: 'A server',
    ports: {},
    internal: { user: 'kit', password: PASSWORD, insecureLiteral: false },
    ehr: { apiVersion: '1.0-alpha', listen: 4180, host: '127.0.0.1' },
    timeouts: { patienceMs: 15_000, personMs: 300_000 },
  });
});

test('environment values are secrets in secret places alone', async () => {
  const { secrets } = await loadVariant(
    {
      server: { url: { env: 'SERVER_URL' } },
      internal: { user: { env: 'USER_NAME' } },
      steps: {
        logout: { method: 'POST', path: '/logout', headers: { 'x-key': { env: 'KEY' }, cookie: '${token}' } },
      },
    },
    { SERVER_URL: 'https://auth.example.org', USER_NAME: 'kit', KEY: 'key-1' },
  );
  expect([...secrets].sort()).toEqual(['key-1', PASSWORD].sort());
});

const FULL_OF_PROBLEMS = `name: My server
prots: { auth: 0 }
ports: { auth: 0 }
server:
  url: htp://x:\${ports.auht}
  start:
    command: node server.js
    env: { LEVEL: 1, KEY: { env: NOT_SET }, C-D: x }
internal:
  user: { env: EMPTY }
  password: hunter2
ehr: { listn: 3 }
otp:
  fixed: { code: 0042 }
  ask: true
people:
  phones: 79995551234
  withoutCorrespondence: 0079990000007
steps:
  requestOtp: { rpc: auth.request_otp, parms: { phone: '\${phnoe}' } }
  confirmOtp:
    method: POST
    path: login
    json: { phone: '\${phone}', code: '\${code}', sign: '\${userSign}' }
    extract: { user: result/user }
  exchangeToken: { method: post, path: /x, extract: { exchangeToken: /x } }
  logout: { absent: '' }
  deleteUser: yes
timeouts: { stepMs: 100 }`;

const PROBLEMS = [
  expect.stringMatching(/^2:1 prots: is not known here\. Possible here: .*ports/),
  '5:8 server.url: uses ${ports.auht}, which is not known here. Possible here: ports.auth.',
  '5:8 server.url: must be an http or https address without user, query and fragment, such as http://127.0.0.1:8080; given is "htp://x:${ports.auht}".',
  '7:14 server.start.command: must be a list of texts.',
  '8:19 server.start.env.LEVEL: must be text. Put it in quotes.',
  '8:27 server.start.env.KEY: names the environment variable NOT_SET, which is not set. Please set it.',
  '8:45 server.start.env.C-D: must be the name of an environment variable.',
  '10:9 internal.user: names the environment variable EMPTY, which is set, but empty. Please set it.',
  expect.stringMatching(
    /^11:3 internal\.password: stands in the file itself\. .*insecureLiteral: true beside it\.$/,
  ),
  expect.stringMatching(/^12:8 ehr\.listn: is not known here\. Possible here: .*listen/),
  '14:18 otp.fixed.code: must be text. Put it in quotes.',
  '15:3 otp.ask: cannot stand beside fixed. Please keep one of them.',
  '17:11 people.phones: must be text; given is the number 79995551234. Put it in quotes.',
  '18:26 people.withoutCorrespondence: must be text; given is the number 79990000007. Put it in quotes.',
  '19:1 steps.reportLink: is missing. Please say how a client does it, or { absent: "<reason>" } when the server has no such step.',
  expect.stringMatching(/^20:40 steps\.requestOtp\.parms: is not known here\. Possible here: rpc, params/),
  '21:3 steps.confirmOtp: uses ${userSign}, which a first sign-in does not have. Please write ${userSign?}.',
  '23:11 steps.confirmOtp.path: must be a path that begins with a slash, without spaces and #; given is "login".',
  '25:5 steps.confirmOtp.extract: must say where token stands in the answer, such as extract: { user: /user, token: /token }.',
  '25:22 steps.confirmOtp.extract.user: must be a JSON Pointer such as /result/token; given is "result/user".',
  '26:3 steps.exchangeToken: carries no session. Please send ${token} where the server expects it, or write cred: session in a JSON-RPC call.',
  '26:28 steps.exchangeToken.method: must be GET, POST, PUT, PATCH or DELETE; given is "post".',
  '27:21 steps.logout.absent: must not be empty; given is "".',
  '28:15 steps.deleteUser: must be a section of keys and values; given is "yes".',
  '29:21 timeouts.stepMs: must not be less than patienceMs (15000): an answer within patienceMs would be cut off.',
];

test('all problems of a file are told at once, with place and remedy', async () => {
  const file = yaml(FULL_OF_PROBLEMS);
  const problems = await problemsOfFile(file, { EMPTY: '' });
  expect(problems).toEqual(PROBLEMS);
  expect(problems.join('\n')).not.toContain('hunter2');
});

test('the error names the file and how many problems it has', async () => {
  const file = yaml('name: x');
  await expect(loadAdapter(file, {})).rejects.toThrow(`Failed to use the adapter file ${file}: it has `);
  await expect(loadAdapter(file, {})).rejects.toThrow(AdapterFileError);
});

test('a section that is missing is reported where it ought to stand', async () => {
  expect(await problemsOf({ people: undefined, server: { url: undefined } })).toEqual([
    '1:1 people: is missing; it must be a section of keys and values.',
    '3:3 server.url: is missing; it must be text.',
  ]);
});

test('JSON is read with tabs and positions too', async () => {
  const text = JSON.stringify({ ...smallest, nmae: 'x' }, null, '\t');
  const file = writeTemporary('adapter.json', text);
  const line = text.split('\n').findIndex((content) => content.includes('nmae')) + 1;
  expect(await problemsOfFile(file, { PASSWORD })).toEqual([
    expect.stringContaining(`${line}:2 nmae: is not known here. Possible here: $schema, name, `),
  ]);
});

const QUOTE = 'If it belongs to a value, put the whole value in quotes.';

test.each([
  ['a key that stands twice', 'name: a\nname: b', `2:1 Map keys must be unique. ${QUOTE}`],
  [
    'indentation that does not fit',
    'server:\n  url: x\n name: y',
    `3:1 All mapping items must start at the same column. ${QUOTE}`,
  ],
  ['a quote that is not closed', 'name: "a', `1:9 Missing closing "quote. ${QUOTE}`],
  [
    'a template in a list that lacks its quotes',
    'server:\n  start:\n    command: [${node}, main.js]',
    `3:16 Missing , or : between flow sequence items. ${QUOTE}`,
  ],
  [
    'an anchor that is not there',
    'name: *other',
    `1:7 A value begins with *, and no such anchor is in the file. ${QUOTE}`,
  ],
  [
    'two documents',
    'name: a\n---\nname: b',
    '2:1 A second document begins here, and one is all that a file may hold.',
  ],
  [
    'a tag that makes objects',
    'name: !!js/function a',
    `1:7 Unresolved tag: tag:yaml.org,2002:js/function. ${QUOTE}`,
  ],
  [
    'a merge key of no section',
    'name: &a x\nserver:\n  <<: *a',
    '3:3 << takes the anchor of a section, such as *name, or a list of them.',
  ],
  ['no section at all', '- a\n- b', '1:1 The file must be a section of keys and values.'],
  ['an empty file', '# nothing\n', '1:1 The file is empty.'],
  ['a value that may be a secret', 'name: |hunter2', expect.not.stringContaining('hunter2')],
])('%s is reported with its place', async (_what, text, problem) => {
  expect(await problemsOfFile(yaml(text))).toEqual([problem]);
});

test('a merge key takes over an anchor, and one in quotes is a member', () => {
  const text = 'a: &a { app: web, lang: en }\nb: { <<: *a, lang: ru }\nc: { "<<": 1 }';
  const source = readYaml(text) as Source;
  expect(source.data).toMatchObject({ b: { app: 'web', lang: 'ru' }, c: { '<<': 1 } });
  expect(source.locate({ path: ['b', 'app'], at: 'value' })).toEqual({ line: 1, column: 14 });
});

test('anchors that stand for a great deal are refused and not written out', async () => {
  const levels = Array.from(
    { length: 9 },
    (_, level) => `l${level + 1}: &l${level + 1} [${Array(9).fill(`*l${level}`).join(', ')}]`,
  );
  const file = yaml(['l0: &l0 [a, b]', ...levels].join('\n'));
  expect(await problemsOfFile(file)).toEqual([
    '1:1 The anchors of the file stand for far more than an adapter file holds. Write the values out.',
  ]);
});

test('what cannot be read is told with its remedy', async () => {
  const said = (file: string) => loadAdapter(file, {}).catch((error: Error) => error.message);
  expect(await said('nowhere.yaml')).toBe(
    'Failed to read the adapter file nowhere.yaml: there is no such file. To write one: npm run conformance -- init FILE',
  );
  expect(await said('conformance')).toContain('it is a directory.');
  expect(await said(writeTemporary('a.txt', 'name: x'))).toContain('its name must end in .yaml, .yml, .json');
  expect(await said(writeTemporary('a.yaml', Uint8Array.of(0xff, 0xfe, 0x41)))).toContain(
    'it is not UTF-8 text.',
  );
  expect(await said(writeTemporary('a.yaml', 'a'.repeat(1024 * 1024 + 1)))).toContain(
    'it is larger than 1 MiB.',
  );
});

test('a working directory is relative to the file', async () => {
  const { file, settings } = await loadVariant({ server: { start: { command: ['node'], cwd: 'sub' } } });
  expect(settings.server.start?.cwd).toBe(file.replace('adapter.json', 'sub'));
  const beside = await loadVariant({ server: { start: { command: ['node'] } } });
  expect(beside.settings.server.start?.cwd).toBe(beside.file.replace('/adapter.json', ''));
});

test('ports are filled in wherever a section may name them, and nowhere else', async () => {
  const changes = {
    ports: { auth: 0, control: 0, fixed: 4711 },
    internal: { password: { env: 'ODD' } },
    server: {
      url: 'http://127.0.0.1:${ports.auth}',
      start: {
        command: ['serve', '--port=${ports.auth}', '$${ports.auth}'],
        env: { C: '${ports.control} ${ehrUrl}' },
      },
    },
    otp: {
      fixed: undefined,
      outbox: { request: { url: 'http://127.0.0.1:${ports.control}/outbox?to=${phone}' }, code: '/code' },
    },
    steps: {
      requestOtp: {
        method: 'POST',
        url: 'http://127.0.0.1:${ports.fixed}/',
        json: { to: ['${ports.auth}', '${phone}', null, 7] },
      },
    },
  };
  const { settings } = await loadVariant(changes, { ODD: '${ports.auth}' });
  const filled = await fillPorts(settings);
  const { auth, control, fixed } = filled.ports;
  expect([auth, control]).not.toContain(0);
  expect(fixed).toBe(4711);
  expect(filled.server.url).toBe(`http://127.0.0.1:${auth}`);
  expect(filled.server.start?.command).toEqual(['serve', `--port=${auth}`, '$${ports.auth}']);
  expect(filled.server.start?.env).toEqual({ C: `${control} \${ehrUrl}` });
  expect(filled.otp?.outbox?.request.url).toBe(`http://127.0.0.1:${control}/outbox?to=\${phone}`);
  expect(filled.steps.requestOtp).toMatchObject({
    url: 'http://127.0.0.1:4711/',
    json: { to: [String(auth), '${phone}', null, 7] },
  });
  expect(filled.internal.password).toBe('${ports.auth}');
});

const env = { PASSWORD };
const module = (text: string, name = 'adapter.mjs') => writeTemporary(name, text);

const TEXT = JSON.stringify(smallest);

test.each([
  ['default', `export default ${TEXT};`, 'adapter.mjs', 'A server'],
  ['adapter', `export const adapter = ${TEXT};`, 'adapter.mjs', 'A server'],
  [
    'TypeScript',
    `const name: string = 'Typed';\nexport const adapter = { ...${TEXT}, name };`,
    'adapter.ts',
    'Typed',
  ],
])('a module may export the settings as %s', async (_as, text, file, name) => {
  expect((await loadAdapter(module(text, file), env)).settings.name).toBe(name);
});

test('a module may perform one step and leave the others to the settings', async () => {
  const settings = variant({ steps: { confirmOtp: undefined } });
  const file = module(`
    export const settings = ${JSON.stringify(settings)};
    export const adapter = (declared, { seed }) => ({
      ...declared,
      has: (step) => step === 'confirmOtp' || declared.has(step),
      perform: async (step, input, signal) =>
        step === 'confirmOtp'
          ? { kind: 'done', values: { user: input.phone, token: 'token-' + seed } }
          : declared.perform(step, input, signal),
    });
  `);
  const { url } = await startFakeServer({ body: { exchangeToken: 'x-1' } });
  const adapter = await openAdapter(url, await loadAdapter(file, env), { seed: 7 });
  expect(adapter.has('confirmOtp')).toBe(true);
  const ofModule = { user: '7999', token: 'token-7' };
  expect(await adapter.does('confirmOtp', { phone: '7999' })).toEqual({ kind: 'done', values: ofModule });
  const ofSettings = { exchangeToken: 'x-1' };
  expect(await adapter.does('exchangeToken', { token: 't' })).toEqual({ kind: 'done', values: ofSettings });
});

test('the settings of a module are checked like a file, without lines', async () => {
  const file = module(`export const adapter = ${JSON.stringify(variant({ nmae: 'x' }))};`);
  expect(await problemsOfFile(file, env)).toEqual([
    expect.stringContaining(`${file} nmae: is not known here. Possible here: $schema, name, `),
  ]);
});

test.each([
  ['export const other = 1;', /it exports neither "adapter" nor "default" as an object or a function\./],
  ['export const adapter = () => undefined;', /it exports a function and no settings\./],
  ['throw new Error("broken inside");', /^Failed to load the adapter module .*adapter\.mjs: broken inside$/],
])('a module is refused with the reason: %s', async (text, reason) => {
  await expect(loadAdapter(module(text), env)).rejects.toThrow(reason);
});
