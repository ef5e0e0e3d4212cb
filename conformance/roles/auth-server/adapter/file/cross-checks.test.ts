import { expect, test } from 'vitest';
import { problemsOf } from '../testing/adapter-file.ts';

/** The problems of a variant without their places. */
const said = async (changes: Parameters<typeof problemsOf>[0]) =>
  (await problemsOf(changes)).map((line) => line.replace(/^\d+:\d+ /, ''));

const login = {
  method: 'POST',
  path: '/login',
  json: { code: '${code}' },
  extract: { user: '/user', token: '/token' },
};
const sms = { sink: {}, fixed: undefined };

const wrong: [string, Record<string, unknown>, string][] = [
  [
    'two ways to learn a code',
    { otp: { ask: true } },
    'otp.ask: cannot stand beside fixed. Please keep one of them.',
  ],
  ['no way to learn a code', { otp: { fixed: undefined } }, 'otp: lacks one of sink, outbox, fixed, ask.'],
  [
    'asking that is switched off',
    { otp: { fixed: undefined, ask: false } },
    'otp: lacks one of sink, outbox, fixed, ask.',
  ],
  [
    'a code that is requested and cannot be learned',
    { otp: undefined },
    'otp: is missing: a code is requested, and nothing says how it is learned. Please add one of sink, outbox, fixed, ask.',
  ],
  [
    'a code that nobody requests',
    { otp: undefined, steps: { requestOtp: { absent: 'test login' }, confirmOtp: login } },
    'steps.confirmOtp: uses ${code}, and requestOtp is absent. Please describe how a client asks for a code, or leave ${code} out.',
  ],
  [
    'an outbox without a place for codes',
    { otp: { fixed: undefined, outbox: { request: { path: '/x' } } } },
    'otp.outbox: lacks one of code, text.',
  ],
  [
    'an outbox without an address',
    { otp: { fixed: undefined, outbox: { request: {}, code: '/c' } } },
    'otp.outbox.request: lacks one of path, url.',
  ],
  [
    'a server with nothing said on where the EHR address is set',
    { ehr: { configuredIn: undefined } },
    'ehr: lacks configuredIn: one sentence on where the address of the EHR server is set in the server under test, such as "EHR_URL in docker-compose.yml". The doctor shows it when no call arrives.',
  ],
  [
    'the same without the section',
    { ehr: undefined },
    'lacks the section ehr with configuredIn: one sentence on where the address of the EHR server is set in the server under test, such as "EHR_URL in docker-compose.yml". The doctor shows it when no call arrives.',
  ],
  [
    'a server where nobody can sign in',
    { steps: { confirmOtp: { absent: 'no' } } },
    'steps.confirmOtp.absent: leaves nothing to judge: nobody can sign in. Please describe the sign-in here, whatever it is called.',
  ],
  [
    'a request with two bodies',
    { steps: { logout: { method: 'POST', path: '/', json: { t: '${token}' }, form: { a: 'b' } } } },
    'steps.logout.form: cannot stand beside json. Please keep one of them.',
  ],
  [
    'a body with GET',
    { steps: { logout: { method: 'GET', path: '/', json: { t: '${token}' } } } },
    'steps.logout.json: cannot be sent with GET. Please choose another method, or leave it out.',
  ],
  [
    'two addresses',
    { steps: { confirmOtp: { ...login, url: 'http://a/b' } } },
    'steps.confirmOtp.url: cannot stand beside path. Please keep one of them.',
  ],
  [
    'no address',
    { steps: { confirmOtp: { ...login, path: undefined } } },
    'steps.confirmOtp: lacks one of path, url.',
  ],
  [
    'readiness that is told in two ways',
    { server: { start: { command: ['x'], ready: { url: '/', line: 'x' } } } },
    'server.start.ready.line: cannot stand beside url. Please keep one of them.',
  ],
  [
    'an exchange token that is taken from nowhere',
    { steps: { exchangeToken: { rpc: 'x', cred: 'session' } } },
    'steps.exchangeToken.extract: must say where exchangeToken stands in the answer, such as extract: { exchangeToken: /exchangeToken }.',
  ],
  [
    'an end of no session',
    { steps: { logout: { rpc: 'logout' } } },
    'steps.logout: carries no session. Please send ${token} where the server expects it, or write cred: session in a JSON-RPC call.',
  ],
  [
    'a code in a request for one',
    { steps: { requestOtp: { rpc: 'x', params: { c: '${code}' } } } },
    'steps.requestOtp.params.c: uses ${code}, which is not known here. Possible here: phone.',
  ],
  [
    'a value that no step keeps',
    { steps: { confirmOtp: { ...login, headers: { 'x-try': '${keep.attempt}' } } } },
    'steps.confirmOtp.headers.x-try: uses ${keep.attempt}, which is not known here. Possible here: phone, code, userSign.',
  ],
  [
    'a template that is broken',
    { steps: { requestOtp: { rpc: 'x', params: ['${phone'] } } },
    'steps.requestOtp.params[0]: has a ${ that begins no template such as ${phone}. Please write $${ where ${ itself is meant.',
  ],
  [
    'the address of a sink that is not there',
    { server: { start: { command: ['x', '--sms=${smsUrl}'] } } },
    'server.start.command[1]: uses ${smsUrl}, which is not known here. Possible here: ehrUrl, internalUser, internalPassword, node.',
  ],
  [
    'a port that has no name',
    { ports: { auth: 0 }, server: { start: { command: ['x'], env: { PORT: '${ports.control}' } } } },
    'server.start.env.PORT: uses ${ports.control}, which is not known here. Possible here: ehrUrl, internalUser, internalPassword, node, ports.auth.',
  ],
  [
    'a derived value of an unknown name',
    { steps: { confirmOtp: { ...login, extract: { user: { value: 'u-${fone}' }, token: '/token' } } } },
    'steps.confirmOtp.extract.user.value: uses ${fone}, which is not known here. Possible here: phone, code, userSign.',
  ],
];

for (const [what, changes, problem] of wrong) {
  test(`${what} is refused`, async () => {
    expect(await said(changes)).toEqual([problem]);
  });
}

const right: [string, Record<string, unknown>][] = [
  ['the smallest file', {}],
  [
    'a password in the file that is said to protect nothing',
    { internal: { password: 'x', insecureLiteral: true } },
  ],
  [
    'a server without codes and without a way to learn them',
    { otp: undefined, steps: { requestOtp: { absent: 'test login' }, confirmOtp: { ...login, json: {} } } },
  ],
  [
    'a server that the kit starts, with nothing said on the EHR address',
    { ehr: undefined, server: { start: { command: ['x', '${ehrUrl}'] } } },
  ],
  [
    'a code that a person reads and types in by themselves',
    { otp: undefined, steps: { confirmOtp: { manual: 'Sign in.' } } },
  ],
  ['the address of a sink that is there', { otp: sms, server: { start: { command: ['x', '${smsUrl}'] } } }],
  [
    'steps that a person does',
    Object.fromEntries([
      [
        'steps',
        Object.fromEntries(
          ['requestOtp', 'confirmOtp', 'exchangeToken', 'logout'].map((name) => [
            name,
            { manual: 'Do it as ${phone}.' },
          ]),
        ),
      ],
    ]),
  ],
  [
    'a value that an earlier step keeps',
    {
      steps: {
        requestOtp: { rpc: 'x', params: { phone: '${phone}' }, keep: { attempt: '/id' } },
        confirmOtp: { ...login, headers: { 'x-try': '${keep.attempt}' } },
      },
    },
  ],
  [
    'a session in a cookie that a step keeps',
    {
      steps: {
        logout: { method: 'POST', path: '/', headers: { cookie: '${keep.cookie}' } },
        confirmOtp: { ...login, keep: { cookie: { header: 'set-cookie' } } },
      },
    },
  ],
  ['a step at the root of a JSON-RPC server', { steps: { logout: { rpc: 'logout', cred: 'session' } } }],
  ['an empty variable for the server', { server: { start: { command: ['x'], env: { EMPTY: '' } } } }],
  ['a patienceMs beyond the usual', { timeouts: { patienceMs: 60_000 } }],
];

for (const [what, changes] of right) {
  test(`${what} can be used`, async () => {
    expect(await said(changes)).toEqual([]);
  });
}

test('a file with a fault in every section is refused for each', async () => {
  const keys = ['ports', 'server', 'internal', 'otp', 'people', 'steps', 'timeouts', 'ehr', 'name'];
  for (const value of [null, 7, [], [{}], { a: { b: [] } }]) {
    const problems = await said(Object.fromEntries(keys.map((key) => [key, value])));
    for (const key of keys)
      expect(problems, JSON.stringify(value)).toContainEqual(expect.stringMatching(new RegExp(`^${key}\\b`)));
  }
});
