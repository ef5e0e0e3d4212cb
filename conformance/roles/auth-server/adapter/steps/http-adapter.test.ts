import { expect, onTestFinished, test } from 'vitest';
import { manualClock, systemClock } from '#protocol/time/clock.ts';
import { Recorder } from '../../../../engine/journal/recorder.ts';
import { Knowledge } from '../../../../engine/journal/secrets/knowledge.ts';
import { MissingValueError } from '../../../../engine/party/requests/template.ts';
import { startProxy } from '../../../../engine/wire/proxy.ts';
import { problemsOf } from '../testing/adapter-file.ts';
import { startAdapter, startFakeServer, type TestParts } from '../testing/fake-server.ts';

const session = { phone: '79995550001', user: 'u-1', token: 'token-1' };
/** Where a sign-in has its values. */
const extract = { user: '/user', token: '/token' };

test('a step is sent as the file says, and yields what the answer has', async () => {
  const server = await startFakeServer({ body: { user: 'u-1', token: 't-1' } });
  const adapter = await startAdapter(server.url);
  const result = await adapter.does('confirmOtp', { phone: '79995550001', code: '1234', userSign: 'sign' });
  expect(result).toEqual({ kind: 'done', values: { user: 'u-1', token: 't-1' } });
  expect(server.received[0]).toMatchObject({
    method: 'POST',
    path: '/login',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
  });
  expect(server.json()).toEqual({ phone: '79995550001', code: '1234', sign: 'sign' });
  await adapter.does('confirmOtp', { phone: '7', code: '1' });
  expect(server.json()).toEqual({ phone: '7', code: '1' });
});

test('a step without a session carries nothing of one', async () => {
  const server = await startFakeServer();
  const adapter = await startAdapter(server.url, {
    steps: {
      logout: { rpc: 'logout', cred: 'session' },
      deleteUser: {
        method: 'POST',
        path: '/users/${user}/delete?by=${token}',
        json: { session: { user: '${user}', token: '${token}' }, why: 'asked' },
      },
    },
  });
  await adapter.does('exchangeToken', { phone: '7' });
  expect(server.received[0]?.headers.authorization).toBeUndefined();
  await adapter.does('logout');
  expect(server.json()).toEqual({ jsonrpc: '2.0', id: 2, method: 'logout', params: {} });
  await adapter.does('deleteUser');
  expect(server.received[2]?.path).toBe('/users//delete?by=');
  expect(server.json()).toEqual({ why: 'asked' });
});

test('a scenario that forgets a value is told, and nothing is sent', async () => {
  const server = await startFakeServer();
  const adapter = await startAdapter(server.url);
  await expect(adapter.does('confirmOtp', { phone: '7' })).rejects.toThrow(MissingValueError);
  expect(server.received).toEqual([]);
});

test('a JSON-RPC step is sent with params and session, under another id each time', async () => {
  const server = await startFakeServer();
  const exchangeToken = {
    rpc: 'auth.exchange_token',
    params: [],
    cred: 'session',
    extract: { exchangeToken: '/result/exchangeToken' },
  };
  const adapter = await startAdapter(`${server.url}/api`, { steps: { exchangeToken } });
  for (const id of [1, 2]) {
    await adapter.does('exchangeToken', session);
    expect(server.json()).toEqual({
      ...{ jsonrpc: '2.0', id, method: 'auth.exchange_token', params: [] },
      cred: { user: 'u-1', token: 'token-1' },
    });
  }
  const headers = expect.objectContaining({ 'content-type': 'application/json' });
  expect(server.received[0]).toMatchObject({ method: 'POST', path: '/api/', headers });
});

const who = { user: 'a&b', token: 'x/y' };

test.each([
  [
    'an address',
    { method: 'DELETE', path: '/sessions/${token}?user=${user}' },
    { method: 'DELETE', path: '/sessions/x%2Fy?user=a%26b', body: '' },
  ],
  [
    'a form',
    { method: 'POST', path: '/', form: { user: '${user}', token: 'token ${token}' } },
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'user=a%26b&token=token+x%2Fy',
    },
  ],
  [
    'a body of any text',
    { method: 'POST', path: '/', headers: { 'Content-Type': 'text/plain' }, body: 'of=+${token}' },
    { headers: { 'content-type': 'text/plain' }, body: 'of=+x/y' },
  ],
])('values are encoded for %s', async (_where, logout, expected) => {
  const server = await startFakeServer();
  await (await startAdapter(server.url, { steps: { logout } })).does('logout', who);
  expect(server.received[0]).toMatchObject(expected);
});

test('a value of the environment is sent as it is, whatever it looks like', async () => {
  const server = await startFakeServer();
  const odd = 'a${phone}$${b}${';
  const headers = { 'x-key': { env: 'KEY' } };
  const requestOtp = { method: 'POST', path: '/otp', headers, json: { phone: '${phone}' } };
  const adapter = await startAdapter(server.url, { steps: { requestOtp } }, { env: { KEY: odd } });
  await adapter.does('requestOtp', { phone: '7' });
  expect(server.received[0]?.headers['x-key']).toBe(odd);
});

test('a time is sent as a number, and harness helpers go to the server', async () => {
  const proxy = await startFakeServer();
  const server = await startFakeServer();
  const adapter = await startAdapter(proxy.url, {
    server: { url: `${server.url}/` },
    steps: {
      advanceClock: {
        method: 'POST',
        path: '/clock',
        json: { advance: '${milliseconds}', note: '${milliseconds} ms' },
      },
    },
  });
  expect(await adapter.does('advanceClock', { milliseconds: '1500' })).toEqual({ kind: 'done', values: {} });
  expect(server.received[0]?.path).toBe('/clock');
  expect(server.json()).toEqual({ advance: 1500, note: '1500 ms' });
  expect(proxy.received).toEqual([]);
});

test('values are found in headers, in cookies, and in what was sent', async () => {
  const server = await startFakeServer({
    headers: { 'set-cookie': ['lang=en', 'sid=abc; Path=/; HttpOnly'], 'x-session': 'id=42;' },
    body: {},
  });
  const adapter = await startAdapter(server.url, {
    steps: {
      confirmOtp: {
        method: 'POST',
        path: '/login',
        json: { code: '${code}' },
        extract: {
          user: { value: 'u-${phone}' },
          token: { header: 'Set-Cookie', pattern: '^sid=([^;]+)' },
          ttl: { header: 'x-session', pattern: '\\d+' },
        },
      },
    },
  });
  expect(await adapter.does('confirmOtp', { phone: '7', code: '1' })).toEqual({
    kind: 'done',
    values: { user: 'u-7', token: 'abc', ttl: '42' },
  });
});

test('a cookie is found by its whole name, and of several the last counts', async () => {
  const server = await startFakeServer({ body: { user: 'u' } });
  const adapter = await startAdapter(server.url, {
    steps: {
      confirmOtp: {
        method: 'POST',
        path: '/login',
        extract: { user: '/user', token: { cookie: 'session' } },
      },
    },
  });
  const tokenOf = async (...cookies: string[]) => {
    server.answer({ body: { user: 'u' }, headers: { 'set-cookie': cookies } });
    const result = await adapter.does('confirmOtp', { phone: '7', code: '1' });
    return result.kind === 'done' ? result.values.token : result;
  };
  expect(await tokenOf('oldsession=x; Path=/', 'session=abc; Path=/; HttpOnly', 'session2=y')).toBe('abc');
  expect(await tokenOf('session=a=b==')).toBe('a=b==');
  expect(await tokenOf('session=; Max-Age=0; Path=/old', 'session=new')).toBe('new');
  expect(await tokenOf('session=old', 'session=new')).toBe('new');
  const lacks = { detail: 'HTTP 200, a success that lacks token (in the cookie session)' };
  expect(await tokenOf('oldsession=x', 'Session=y', 'session=')).toMatchObject(lacks);
  const gone = 'session=gone; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT';
  for (const end of [gone, 'session=gone; path=/; max-age=0', 'session=gone; Max-Age=-1'])
    expect(await tokenOf('session=abc; Path=/', end), end).toMatchObject(lacks);
  for (const other of [
    'session=other; Path=/admin',
    'session=; Path=/admin; Max-Age=0',
    'session=x; Max-Age=0; Path=/a',
  ])
    expect(await tokenOf('session=abc; Path=/; Max-Age=60', other), other).toBe('abc');
});

const REFUSED = Buffer.from(
  '<meta charset="windows-1251"><p>\xca\xee\xe4 \xed\xe5\xe2\xe5\xf0\xe5\xed',
  'latin1',
);
const NOTHING_TO_READ = { kind: 'failed', detail: 'HTTP 200 with 43 bytes in the unknown charset klingon' };

test.each([
  ['windows-1251', 'text/plain; charset=windows-1251', { kind: 'refused', reason: 'Код неверен' }],
  ['that of the page', 'text/html', { kind: 'refused', reason: 'Код неверен' }],
  ['unknown', 'text/html; charset=klingon', NOTHING_TO_READ],
])('a page is read by its charset: %s', async (_name, type, result) => {
  const server = await startFakeServer((_request, response) => {
    response.writeHead(200, { 'content-type': type }).end(REFUSED);
  });
  const step = { method: 'POST', path: '/code', refusal: { pattern: 'Код неверен' } } as const;
  const adapter = await startAdapter(server.url, { steps: { requestOtp: step } });
  expect(await adapter.does('requestOtp', { phone: '7' })).toMatchObject(result);
});

test('a user whose id is a number beyond 2^53 has its digits', async () => {
  const server = await startFakeServer({ body: '{"user":1234567890127651094,"token":"t"}' });
  const step = { method: 'POST', path: '/login', extract } as const;
  const adapter = await startAdapter(server.url, { steps: { confirmOtp: step } });
  const values = { user: '1234567890127651094', token: 't' };
  expect(await adapter.does('confirmOtp', { phone: '7', code: '1' })).toEqual({ kind: 'done', values });
});

test('a step that the server lacks or the file omits is absent', async () => {
  const server = await startFakeServer();
  const adapter = await startAdapter(server.url);
  for (const step of ['reportLink', 'advanceClock'] as const) {
    expect(adapter.has(step)).toBe(false);
    expect(await adapter.does(step, session)).toEqual({ kind: 'absent' });
  }
  expect(adapter.has('confirmOtp')).toBe(true);
  expect(server.received).toEqual([]);
});

test('the server gets the trace that the journal names, in a batch too', async () => {
  const server = await startFakeServer();
  const recorder = new Recorder(systemClock, new Knowledge('auth', 'password', new Map()));
  const proxy = await startProxy({ link: 'client->auth', target: server.url, recorder, clock: systemClock });
  onTestFinished(() => proxy.stop());
  const adapter = await startAdapter(proxy.url, { steps: { requestOtp: { rpc: 'auth.request_otp' } } });
  const step = { scenario: 'a scenario', user: 'Ann', step: 'requestOtp', label: 'asks' } as const;
  const stepSeq = String(recorder.step(step).seq);
  await adapter.does('requestOtp', { phone: '79995550001', stepSeq });
  await adapter.batchOf?.('requestOtp')?.([{ stepSeq }, { stepSeq: '6' }], new AbortController().signal);
  const traces = recorder.entries().flatMap((entry) => (entry.kind === 'exchange' ? [entry.trace] : []));
  expect(traces).toHaveLength(2);
  expect(server.received.map(({ headers }) => headers.traceparent)).toEqual(
    traces.map((trace) => expect.stringMatching(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))),
  );
});

const members = { phone: '${phone}', code: '${code}', about: 'code ${code}' };
const about = 'code 1';

test.each([
  [{ json: null }, { phone: '7', code: null, about }, 'phone=7&code=&about=code+1'],
  [{ json: [] }, { phone: '7', code: [], about }, 'phone=7&code=%5B%5D&about=code+1'],
  [
    { json: { $ne: '' } },
    { phone: '7', code: { $ne: '' }, about },
    'phone=7&code=%7B%22%24ne%22%3A%22%22%7D&about=code+1',
  ],
  [{ json: '' }, { phone: '7', code: '', about }, 'phone=7&code=&about=code+1'],
  [{}, { phone: '7', about }, 'phone=7&about=code+1'],
])('%j is sent in JSON unchanged, and in a form as text', async (codeInPlace, inJson, inForm) => {
  const server = await startFakeServer();
  const sent = async (step: object) => {
    const adapter = await startAdapter(server.url, { steps: { confirmOtp: { ...step, extract } } });
    await adapter.does('confirmOtp', { phone: '7', code: '1', codeInPlace });
    return server.received.at(-1)?.body ?? '';
  };
  const post = { method: 'POST', path: '/login' };
  expect(JSON.parse(await sent({ ...post, json: members }))).toEqual(inJson);
  expect(await sent({ ...post, form: members })).toBe(inForm);
  expect(JSON.parse(await sent({ rpc: 'confirm', params: members })).params).toEqual(inJson);
});

const page = (before: object) => ({
  steps: {
    requestOtp: {
      method: 'POST',
      path: '/otp',
      headers: { cookie: 'visit=${keep.visit}' },
      form: { phone: '${phone}', csrf: '${keep.csrf}' },
      json: undefined,
      before,
    },
  },
});

const FORM = page({
  path: '/start?phone=${phone}',
  keep: { visit: { cookie: 'visit' }, csrf: { pattern: 'name="csrf" value="([^"]+)' } },
});

test('a page that comes before a step gives the step its values', async () => {
  const server = await startFakeServer({
    body: '<input name="csrf" value="drawn">',
    headers: { 'set-cookie': 'visit=v1; Path=/' },
  });
  const adapter = await startAdapter(server.url, FORM);
  expect(await adapter.does('requestOtp', { phone: '71' })).toMatchObject({ kind: 'done' });
  expect(server.received.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['GET', '/start?phone=71', ''],
    ['POST', '/otp', 'phone=71&csrf=drawn'],
  ]);
  expect(server.received[1]?.headers.cookie).toBe('visit=v1');
  expect(adapter.bindsCodes).toBe(true);
});

test('the values of a page before a request go to the confirmation too', async () => {
  const server = await startFakeServer({ headers: { 'set-cookie': 'visit=v2' } });
  const confirmOtp = { method: 'POST', path: '/login', json: { visit: '${keep.visit}', code: '${code}' } };
  const { steps } = FORM;
  const adapter = await startAdapter(server.url, {
    steps: { ...steps, confirmOtp: { ...confirmOtp, extract } },
  });
  await adapter.does('requestOtp', { phone: '71', stepSeq: '1' });
  await adapter.does('confirmOtp', { phone: '71', code: '1', requestSeq: '1' });
  expect(server.json()).toEqual({ visit: 'v2', code: '1' });
});

test('a request before a step has the wrong code that a check sends', async () => {
  const server = await startFakeServer();
  const before = { method: 'POST', path: '/verify', json: { code: '${code}' }, keep: { ticket: '/ticket' } };
  const confirmOtp = { method: 'POST', path: '/login', json: { ticket: '${keep.ticket}' }, extract, before };
  const adapter = await startAdapter(server.url, { steps: { confirmOtp } });
  await adapter.does('confirmOtp', { phone: '71', code: '1', codeInPlace: { json: ['1'] } });
  expect(server.received.map(({ path, body }) => [path, body])).toEqual([
    ['/verify', '{"code":["1"]}'],
    ['/login', '{}'],
  ]);
});

test('a step fails where the request before it gets no answer', async () => {
  const adapter = await startAdapter('http://127.0.0.1:9', FORM);
  expect(await adapter.does('requestOtp', { phone: '71' })).toMatchObject({
    kind: 'failed',
    what: 'unreachable',
  });
});

test('a request before a step is checked as the step itself', async () => {
  const problems = await problemsOf(page({ json: { phone: '${fone}' }, keep: { visit: '/v', csrf: '/c' } }));
  expect(problems.map((line) => line.replace(/^\d+:\d+ /, ''))).toEqual([
    'steps.requestOtp.before: lacks one of path, url.',
    'steps.requestOtp.before.json: cannot be sent with GET. Please choose another method, or leave it out.',
    'steps.requestOtp.before.json.phone: uses ${fone}, which is not known here. Possible here: phone, keep.visit, keep.csrf.',
  ]);
});

/** An adapter whose logout a person does. */
const byHand = (parts: TestParts) =>
  startAdapter(
    'http://127.0.0.1:9',
    { steps: { logout: { manual: 'Log ${phone} out.' } }, timeouts: { personMs: 60_000 } },
    parts,
  );

test('a person is told what to do, and the step’s effect ends it', async () => {
  const told: string[] = [];
  const values = { user: 'u', token: 't' };
  const adapter = await byHand({
    tell: (sentence) => void told.push(sentence),
    waitForEffect: async () => values,
  });
  expect(await adapter.does('logout', session)).toEqual({ kind: 'done', values });
  expect(told).toEqual(['Log 79995550001 out.']);
});

test('an undone manual step ends after its time, or with the run', async () => {
  const clock = manualClock();
  const adapter = await byHand({ clock, waitForEffect: () => new Promise(() => undefined) });
  const late = adapter.does('logout', session);
  clock.advance(60_000);
  expect(await late).toEqual({ kind: 'failed', what: 'timeout', detail: 'nobody did it within 60000 ms' });
  const stop = new AbortController();
  const stopped = adapter.perform('logout', session, stop.signal);
  stop.abort();
  expect(await stopped).toEqual({ kind: 'failed', what: 'timeout', detail: 'the step was broken off' });
});

test('a step without a visible effect is a fault of the kit', async () => {
  const adapter = await byHand({ waitForEffect: () => Promise.reject(new Error('nobody watches')) });
  await expect(adapter.does('logout', session)).rejects.toThrow('nobody watches');
});
