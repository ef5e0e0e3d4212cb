import { expect, test } from 'vitest';
import type { Places } from '../../../../engine/party/requests/read-answer.ts';
import type { Answer } from '../../../../engine/party/requests/send.ts';
import type { Adapter, StepInput } from '../adapter.ts';
import { loadVariant } from '../testing/adapter-file.ts';
import { startAdapter, startFakeServer } from '../testing/fake-server.ts';
import { whoCalls } from './http-adapter.ts';
import { carriedSessions } from './kept-values.ts';

const withKeeping = {
  steps: {
    requestOtp: { method: 'POST', path: '/otp', json: { phone: '${phone}' }, keep: { attempt: '/attempt' } },
    confirmOtp: {
      method: 'POST',
      path: '/login',
      json: { attempt: '${keep.attempt}', code: '${code}' },
      extract: { user: '/user', token: '/token' },
      keep: { cookie: { header: 'set-cookie', pattern: '^[^;]+' } },
    },
    logout: {
      method: 'POST',
      path: '/logout',
      headers: { cookie: '${keep.cookie}', 'x-attempt': '${keep.attempt}' },
    },
  },
};

test('kept values go to later steps of the same phone and session alone', async () => {
  const server = await startFakeServer();
  const adapter = await startAdapter(server.url, withKeeping);
  const signIn = async (phone: string, number: number) => {
    server.answer({ body: { attempt: `try-${number}` } });
    await adapter.does('requestOtp', { phone });
    server.answer({
      body: { user: `u-${number}`, token: `t-${number}` },
      headers: { 'set-cookie': `sid=${number}; Path=/` },
    });
    await adapter.does('confirmOtp', { phone, code: '1' });
    expect(server.json()).toEqual({ attempt: `try-${number}`, code: '1' });
  };
  await signIn('71', 1);
  await signIn('72', 2);
  const headersOf = async (input: StepInput) => {
    await adapter.does('logout', input);
    const { cookie, 'x-attempt': attempt } = server.received.at(-1)?.headers ?? {};
    return { cookie, attempt };
  };
  expect(await headersOf({ phone: '71', token: 't-1' })).toEqual({ cookie: 'sid=1', attempt: 'try-1' });
  expect(await headersOf({ phone: '72', token: 't-2' })).toEqual({ cookie: 'sid=2', attempt: 'try-2' });
  expect(await headersOf({ phone: '71' })).toEqual({ cookie: undefined, attempt: 'try-1' });
  expect(await headersOf({ phone: '71', token: 'invented' })).toEqual({
    cookie: undefined,
    attempt: 'try-1',
  });
});

const exchangeToken = {
  method: 'POST',
  path: '/exchange',
  headers: { authorization: '${token}' },
  extract: { exchangeToken: '/token' },
  keep: { attempt: '/attempt' },
};
const reportLink = { method: 'POST', path: '/report', json: { attempt: '${keep.attempt}' } };

test.each([
  ['requestOtp', 'confirmOtp', { phone: '71' }],
  ['exchangeToken', 'reportLink', { phone: '71', token: 't', userSign: 's' }],
] as const)('what a %s kept goes to the %s of the same code or token', async (first, second, about) => {
  const server = await startFakeServer();
  const adapter = await startAdapter(server.url, {
    steps: { ...withKeeping.steps, exchangeToken, reportLink },
  });
  for (const [stepSeq, attempt] of [
    ['4', 'older'],
    ['9', 'newer'],
  ] as const) {
    server.answer({ body: { token: `x-${attempt}`, attempt } });
    await adapter.does(first, { ...about, stepSeq });
  }
  for (const [requestSeq, attempt] of [
    [{ requestSeq: '4' }, 'older'],
    [{ requestSeq: '9' }, 'newer'],
    [{}, 'newer'],
    [{ requestSeq: '7' }, 'newer'],
  ] as const) {
    await adapter.does(second, { ...about, code: '1', ...requestSeq });
    expect(server.json()).toMatchObject({ attempt });
  }
});

test('each session has the kept values of its own sign-in', async () => {
  const server = await startFakeServer();
  const adapter = await startAdapter(server.url, withKeeping);
  const request = async (stepSeq: string, attempt: string, token: object = {}) => {
    server.answer({ body: { attempt } });
    await adapter.does('requestOtp', { phone: '71', stepSeq, ...token });
  };
  const confirm = async (requestSeq: string, opened: string, token: object = {}) => {
    server.answer({ body: { user: 'u', token: opened } });
    await adapter.does('confirmOtp', { phone: '71', code: '1', requestSeq, ...token });
    return server.json();
  };
  const earlier = { token: 't-1' };
  await request('1', 'first');
  expect(await confirm('1', 't-1')).toMatchObject({ attempt: 'first' });
  await request('3', 'second', earlier);
  await request('4', 'third', earlier);
  expect(await confirm('3', 't-2', earlier)).toMatchObject({ attempt: 'second' });
  expect(await confirm('4', 't-3', earlier)).toMatchObject({ attempt: 'third' });
  for (const [index, attempt] of ['first', 'second', 'third'].entries()) {
    await adapter.does('logout', { phone: '71', token: `t-${index + 1}` });
    expect(server.received.at(-1)?.headers['x-attempt']).toBe(attempt);
  }
});

test('a wrongly shown session changes every kept value, the right one stays', async () => {
  const server = await startFakeServer();
  const adapter = await startAdapter(server.url, withKeeping);
  server.answer({ body: { attempt: 'try-1' } });
  expect(await adapter.does('requestOtp', { phone: '71' })).toEqual({ kind: 'done', values: {} });
  server.answer({ body: { user: 'u-1', token: 't-1' }, headers: { 'set-cookie': 'sid=1; Path=/' } });
  await adapter.does('confirmOtp', { phone: '71', code: '1' });
  const change = (value: string) => `${value}!`;
  await adapter.does('logout', { phone: '71', token: 't-1!', spoilt: { token: 't-1', change } });
  expect(server.received.at(-1)?.headers.cookie).toBe('sid=1!');
  await adapter.does('logout', { phone: '71', token: 't-1' });
  expect(server.received.at(-1)?.headers.cookie).toBe('sid=1');
});

const places = { user: '/account/id', token: '/session/bearer', ttl: '/session/minutes' };
const sent = { phone: '79990000001', code: '123456', 'keep.challenge': 'challenge-of-the-request' };
const token = 'k3Jz81xq-Lm0Pv7Rt';

const answering = (body: unknown, headers: [string, string][] = []): Answer => ({
  kind: 'answer',
  status: 401,
  headers: new Headers(headers),
  text: JSON.stringify(body),
});
const found = (answer: Answer, extract: Places = places, keep: Places = {}) =>
  carriedSessions({ extract, keep }, answer, sent);

test('a refusal with user and token of a success carries a session', () => {
  const body = { error: 'code_wrong', account: { id: 'u1' }, session: { bearer: 's1', minutes: 60 } };
  expect(found(answering(body))).toEqual([{ user: 'u1', token: 's1', kept: {} }]);
});

test('a value that a sign-in would have kept shows the session', () => {
  const keep = { bearer: '/access' };
  expect(found(answering({ access: 'b1' }), places, keep)).toEqual([{ token: 'b1', kept: { bearer: 'b1' } }]);
  expect(found(answering({ other: token }), places, keep)).toEqual([{ token, kept: { bearer: token } }]);
});

test('a token-shaped value counts under any name, and in a cookie', () => {
  expect(found(answering({ error: { data: { authInfo: { token } } } }))).toEqual([{ token, kept: {} }]);
  const cookie: [string, string] = ['set-cookie', `sid=${token}; Path=/; HttpOnly`];
  expect(found(answering({ error: 'code_wrong' }, [cookie]))).toEqual([{ token, kept: {} }]);
});

test('what was sent, a sentence, a short name and the user are no session', () => {
  expect(found(answering({ error: 'code_wrong', challenge: sent['keep.challenge'], tries: 4 }))).toEqual([]);
  expect(found(answering({ error: 'This code is wrong, please try again.' }))).toEqual([]);
  expect(found(answering({ account: { id: 'user-0123456789abcdef' } }))).toEqual([]);
});

test('a place that repeats what was sent yields nothing', () => {
  const fromSent = { user: { value: '${phone}' }, token: { value: '${code}' } };
  expect(found(answering({ error: 'code_wrong' }), fromSent)).toEqual([]);
});

test('three values are tried at most', () => {
  expect(found(answering(['a', 'b', 'c', 'd'].map((name) => name + token)))).toHaveLength(3);
});

test('who calls is read from the step, also where a module wraps it', async () => {
  const { settings, ...about } = await loadVariant({
    steps: {
      confirmOtp: { keep: { sid: '/sid' } },
      exchangeToken: {
        method: 'POST',
        path: '/token',
        headers: { cookie: '${keep.sid}' },
        extract: { exchangeToken: '/exchangeToken' },
      },
      logout: { rpc: 'logout', cred: 'session' },
    },
  });
  const wrap = (adapter: Adapter) => adapter;
  const plain = { ...about, settings, wrap: undefined };
  expect(whoCalls(plain, 'exchangeToken')).toEqual({ user: false, kept: true });
  expect(whoCalls(plain, 'logout')).toEqual({ user: true, kept: false });
  // A module may send a cookie, whatever the file says.
  expect(whoCalls({ ...plain, wrap }, 'exchangeToken')).toEqual({ user: false, kept: true });
  expect(whoCalls({ ...plain, wrap }, 'logout')).toEqual({ user: true, kept: true });
  expect(whoCalls({ ...plain, wrap, settings: { ...settings, steps: {} } }, 'logout').kept).toBe(true);
});
