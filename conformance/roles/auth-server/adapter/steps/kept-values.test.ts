import { expect, test } from 'vitest';
import type { StepInput } from '../adapter.ts';
import { startFakeServer } from '../testing/fake-server.ts';
import { startAdapter } from '../testing/start-adapter.ts';

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

test('a confirmation gets what the request for its code kept', async () => {
  const server = await startFakeServer();
  const adapter = await startAdapter(server.url, withKeeping);
  for (const [stepSeq, attempt] of [
    ['4', 'older'],
    ['9', 'newer'],
  ] as const) {
    server.answer({ body: { attempt } });
    await adapter.does('requestOtp', { phone: '71', stepSeq });
  }
  for (const [requestSeq, attempt] of [
    ['4', 'older'],
    ['9', 'newer'],
    [undefined, 'newer'],
    ['7', 'newer'],
  ] as const) {
    await adapter.does('confirmOtp', { phone: '71', code: '1', ...(requestSeq && { requestSeq }) });
    expect(server.json()).toEqual({ attempt, code: '1' });
  }
});

test('each session has the kept values of its own sign-in', async () => {
  const server = await startFakeServer();
  const adapter = await startAdapter(server.url, withKeeping);
  const request = async (stepSeq: string, attempt: string, token?: string) => {
    server.answer({ body: { attempt } });
    await adapter.does('requestOtp', { phone: '71', stepSeq, ...(token && { token }) });
  };
  const confirm = async (requestSeq: string, opened: string, token?: string) => {
    server.answer({ body: { user: 'u', token: opened } });
    await adapter.does('confirmOtp', { phone: '71', code: '1', requestSeq, ...(token && { token }) });
    return server.json();
  };
  await request('1', 'first');
  expect(await confirm('1', 't-1')).toMatchObject({ attempt: 'first' });
  await request('3', 'second', 't-1');
  await request('4', 'third', 't-1');
  expect(await confirm('3', 't-2', 't-1')).toMatchObject({ attempt: 'second' });
  expect(await confirm('4', 't-3', 't-1')).toMatchObject({ attempt: 'third' });
  for (const [token, attempt] of [
    ['t-1', 'first'],
    ['t-2', 'second'],
    ['t-3', 'third'],
  ] as const) {
    await adapter.does('logout', { phone: '71', token });
    expect(server.received.at(-1)?.headers['x-attempt']).toBe(attempt);
  }
});

test('a report gets what the request for its exchange token kept', async () => {
  const server = await startFakeServer();
  const adapter = await startAdapter(server.url, {
    steps: {
      ...withKeeping.steps,
      exchangeToken: {
        ...{ method: 'POST', path: '/exchange', headers: { authorization: '${token}' } },
        extract: { exchangeToken: '/token' },
        keep: { link: '/link' },
      },
      reportLink: { method: 'POST', path: '/report', json: { link: '${keep.link}' } },
    },
  });
  for (const [stepSeq, link] of [
    ['2', 'older'],
    ['5', 'newer'],
  ] as const) {
    server.answer({ body: { token: `x-${link}`, link } });
    await adapter.does('exchangeToken', { phone: '71', token: 't', stepSeq });
  }
  for (const [requestSeq, link] of [
    ['2', 'older'],
    ['5', 'newer'],
    [undefined, 'newer'],
  ] as const) {
    await adapter.does('reportLink', {
      phone: '71',
      token: 't',
      userSign: 's',
      ...(requestSeq && { requestSeq }),
    });
    expect(server.json()).toEqual({ link });
  }
});

test('kept values are not part of the result', async () => {
  const server = await startFakeServer({ body: { attempt: 'try-1' } });
  const adapter = await startAdapter(server.url, withKeeping);
  expect(await adapter.does('requestOtp', { phone: '7' })).toEqual({ kind: 'done', values: {} });
});

test('a wrongly shown session changes every kept value, the right one stays', async () => {
  const server = await startFakeServer();
  const adapter = await startAdapter(server.url, withKeeping);
  server.answer({ body: { attempt: 'try-1' } });
  await adapter.does('requestOtp', { phone: '71' });
  server.answer({ body: { user: 'u-1', token: 't-1' }, headers: { 'set-cookie': 'sid=1; Path=/' } });
  await adapter.does('confirmOtp', { phone: '71', code: '1' });
  const change = (value: string) => `${value}!`;
  await adapter.does('logout', { phone: '71', token: 't-1!', spoilt: { token: 't-1', change } });
  expect(server.received.at(-1)?.headers.cookie).toBe('sid=1!');
  await adapter.does('logout', { phone: '71', token: 't-1' });
  expect(server.received.at(-1)?.headers.cookie).toBe('sid=1');
});
