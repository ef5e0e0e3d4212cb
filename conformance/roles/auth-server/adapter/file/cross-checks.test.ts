import { expect, test } from 'vitest';
import { problemsOf } from '../testing/adapter-file.ts';

type Changes = Parameters<typeof problemsOf>[0];

/** The problems of a variant without their places. */
const said = async (changes: Changes) =>
  (await problemsOf(changes)).map((line) => line.replace(/^\d+:\d+ /, ''));
const step = (name: string, value: object): Changes => ({ steps: { [name]: value } });

const post = { method: 'POST', path: '/' };
const login = { ...post, json: { code: '${code}' }, extract: { user: '/user', token: '/token' } };
const noCodes = { requestOtp: { absent: 'test login' } };
const start = (more: object) => ({ server: { start: { command: ['x'], ...more } } });
const WHERE =
  'one sentence on where the address of the EHR server is set in the server under test, such as "EHR_URL in docker-compose.yml". The doctor shows it when no call arrives.';

const wrong: [Changes, string][] = [
  [{ otp: { fixed: undefined, ask: false } }, 'otp: lacks one of sink, outbox, fixed, ask.'],
  [
    { otp: undefined },
    'otp: is missing: a code is requested, and nothing says how it is learned. Please add one of sink, outbox, fixed, ask.',
  ],
  [
    { otp: undefined, steps: { ...noCodes, confirmOtp: login } },
    'steps.confirmOtp: uses ${code}, and requestOtp is absent. Please describe how a client asks for a code, or leave ${code} out.',
  ],
  [
    { otp: { fixed: undefined, outbox: { request: { path: '/x' } } } },
    'otp.outbox: lacks one of code, text.',
  ],
  [
    { otp: { fixed: undefined, outbox: { request: {}, code: '/c' } } },
    'otp.outbox.request: lacks one of path, url.',
  ],
  [{ ehr: { configuredIn: undefined } }, `ehr: lacks configuredIn: ${WHERE}`],
  [{ ehr: undefined }, `lacks the section ehr with configuredIn: ${WHERE}`],
  [
    step('confirmOtp', { absent: 'no' }),
    'steps.confirmOtp.absent: leaves nothing to judge: nobody can sign in. Please describe the sign-in here, whatever it is called.',
  ],
  [
    step('logout', { ...post, json: { t: '${token}' }, form: { a: 'b' } }),
    'steps.logout.form: cannot stand beside json. Please keep one of them.',
  ],
  [
    step('logout', { method: 'GET', path: '/', json: { t: '${token}' } }),
    'steps.logout.json: cannot be sent with GET. Please choose another method, or leave it out.',
  ],
  [
    step('confirmOtp', { ...login, url: 'http://a/b' }),
    'steps.confirmOtp.url: cannot stand beside path. Please keep one of them.',
  ],
  [step('confirmOtp', { ...login, path: undefined }), 'steps.confirmOtp: lacks one of path, url.'],
  [
    start({ ready: { url: '/', line: 'x' } }),
    'server.start.ready.line: cannot stand beside url. Please keep one of them.',
  ],
  [
    step('exchangeToken', { rpc: 'x', cred: 'session' }),
    'steps.exchangeToken.extract: must say where exchangeToken stands in the answer, such as extract: { exchangeToken: /exchangeToken }.',
  ],
  [
    step('requestOtp', { rpc: 'x', params: { c: '${code}' } }),
    'steps.requestOtp.params.c: uses ${code}, which is not known here. Possible here: phone.',
  ],
  [
    step('confirmOtp', { ...login, headers: { 'x-try': '${keep.attempt}' } }),
    'steps.confirmOtp.headers.x-try: uses ${keep.attempt}, which is not known here. Possible here: phone, code, userSign.',
  ],
  [
    step('requestOtp', { rpc: 'x', params: ['${phone'] }),
    'steps.requestOtp.params[0]: has a ${ that begins no template such as ${phone}. Please write $${ where ${ itself is meant.',
  ],
  [
    start({ command: ['x', '--sms=${smsUrl}'] }),
    'server.start.command[1]: uses ${smsUrl}, which is not known here. Possible here: ehrUrl, internalUser, internalPassword, node.',
  ],
  [
    step('confirmOtp', { ...login, extract: { user: { value: 'u-${fone}' }, token: '/token' } }),
    'steps.confirmOtp.extract.user.value: uses ${fone}, which is not known here. Possible here: phone, code, userSign.',
  ],
];

test.each(wrong.map(([changes, problem]) => ({ changes, problem })))(
  '$problem',
  async ({ changes, problem }) => {
    expect(await said(changes)).toEqual([problem]);
  },
);

const manual = { manual: 'Do it as ${phone}.' };
const right: [string, Changes][] = [
  ['a password that is said to protect nothing', { internal: { password: 'x', insecureLiteral: true } }],
  [
    'a server without codes and without a way to learn them',
    { otp: undefined, steps: { ...noCodes, confirmOtp: { ...login, json: {} } } },
  ],
  [
    'a server that the kit starts, with nothing said on the EHR address',
    { ehr: undefined, ...start({ command: ['x', '${ehrUrl}'], env: { EMPTY: '' } }) },
  ],
  ['a code that a person reads and types in', { otp: undefined, ...step('confirmOtp', manual) }],
  [
    'the address of a sink that is there',
    { otp: { sink: {}, fixed: undefined }, ...start({ command: ['x', '${smsUrl}'] }) },
  ],
  [
    'steps that a person does',
    { steps: { requestOtp: manual, confirmOtp: manual, exchangeToken: manual, logout: manual } },
  ],
  [
    'values that earlier steps keep',
    {
      steps: {
        requestOtp: { rpc: 'x', params: { phone: '${phone}' }, keep: { attempt: '/id' } },
        confirmOtp: {
          ...login,
          headers: { 'x-try': '${keep.attempt}' },
          keep: { cookie: { header: 'set-cookie' } },
        },
        logout: { ...post, headers: { cookie: '${keep.cookie}' } },
      },
    },
  ],
  ['a step at the root of a JSON-RPC server', step('logout', { rpc: 'logout', cred: 'session' })],
  ['a patienceMs beyond the usual', { timeouts: { patienceMs: 60_000 } }],
];

test.each(right)('%s can be used', async (_what, changes) => {
  expect(await said(changes)).toEqual([]);
});

test('a file with a fault in every section is refused for each', async () => {
  const keys = ['ports', 'server', 'internal', 'otp', 'people', 'steps', 'timeouts', 'ehr', 'name'];
  for (const value of [null, 7, [], [{}], { a: { b: [] } }]) {
    const problems = await said(Object.fromEntries(keys.map((key) => [key, value])));
    for (const key of keys)
      expect(problems, JSON.stringify(value)).toContainEqual(expect.stringMatching(new RegExp(`^${key}\\b`)));
  }
});
