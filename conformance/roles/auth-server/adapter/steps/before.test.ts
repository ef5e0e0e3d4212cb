import { expect, test } from 'vitest';
import { problemsOf } from '../testing/adapter-file.ts';
import { startFakeServer } from '../testing/fake-server.ts';
import { startAdapter } from '../testing/start-adapter.ts';

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
  const extract = { user: '/user', token: '/token' };
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
  const extract = { user: '/user', token: '/token' };
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
