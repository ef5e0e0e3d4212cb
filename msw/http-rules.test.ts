import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import { ehrHandlers } from './ehr-handlers.ts';
import { AUTH, EHR, ENDPOINT, send, useMocks } from './testing.ts';

const discover = { jsonrpc: '2.0', id: 7, method: 'rpc.discover' };
const unknown = { jsonrpc: '2.0', id: 7, method: 'no.such_method' };

test('every outcome is HTTP 200, and replies name the call as a string at the EHR server and as it came at the other', async () => {
  const { post } = useMocks();
  expect(await post(ENDPOINT, unknown)).toMatchObject({
    status: 200,
    json: { id: '7', error: { data: { reason: 'method_not_found' } } },
  });
  expect(await post(AUTH, unknown)).toMatchObject({
    status: 200,
    json: { id: 7, error: { data: { reason: 'method_not_found' } } },
  });
  expect(await post(ENDPOINT, '{')).toMatchObject({
    status: 200,
    json: { id: null, error: { data: { reason: 'parse_error' } } },
  });
});

test('replyId echo gives the id back as it came', async () => {
  const { post } = useMocks({ ehr: { replyId: 'echo' } });
  expect(await post(ENDPOINT, discover)).toMatchObject({ json: { id: 7 } });
});

test('a notification is answered 204 without a body', async () => {
  const { post } = useMocks();
  const { status, text } = await post(ENDPOINT, { jsonrpc: '2.0', method: 'rpc.discover' });
  expect({ status, text }).toEqual({ status: 204, text: '' });
});

test('a batch is answered in its order, without its notifications', async () => {
  const { post } = useMocks();
  const { json } = await post(ENDPOINT, [
    unknown,
    { jsonrpc: '2.0', method: 'rpc.discover' },
    { ...discover, id: 'b' },
  ]);
  expect((json as { id: unknown }[]).map(({ id }) => id)).toEqual(['7', 'b']);
});

test('a preflight lets a page of any origin call, with credentials and the headers it asks for', async () => {
  const { post } = useMocks();
  for (const url of [ENDPOINT, AUTH]) {
    const { status, headers } = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        Origin: 'http://app.test',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,x-mine',
      },
    });
    expect(status).toBe(204);
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': 'http://app.test',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type,x-mine',
    });
  }
  const { headers } = await post(ENDPOINT, discover, { Origin: 'http://app.test' });
  expect(headers.get('access-control-allow-origin')).toBe('http://app.test');
});

test('what is no call is answered with its HTTP fault and a JSON body', async () => {
  const { post } = useMocks();
  const get = await fetch(ENDPOINT);
  expect(get.status).toBe(405);
  expect(get.headers.get('allow')).toBe('POST, OPTIONS');
  expect(await get.json()).toMatchObject({ error: { reason: 'method_not_allowed' } });
  expect(await post(ENDPOINT, discover, { 'Content-Type': 'text/plain' })).toMatchObject({
    status: 415,
    json: { error: { reason: 'unsupported_media_type' } },
  });
  expect(await post(ENDPOINT, `"${'x'.repeat(1024 * 1024)}"`)).toMatchObject({
    status: 413,
    json: { error: { reason: 'too_large' } },
  });
});

test('requests to other places are left to other handlers', async () => {
  const { server } = useMocks();
  server.resetHandlers(
    ...ehrHandlers({ url: `${EHR}/base` }),
    http.all('*', () => new HttpResponse('other')),
  );
  const text = async (url: string, method = 'GET') => (await fetch(url, { method })).text();
  expect(await text(`${EHR}/base/page.html`)).toBe('other');
  expect(await text(`${EHR}/base/deep/er`, 'POST')).toBe('other');
  expect(await text(`${EHR}/baseball`, 'POST')).toBe('other');
  expect(await text(`${EHR}/1.0-alpha/`, 'POST')).toBe('other');
  expect((await send(`${EHR}/base/1.0-alpha/`, discover)).status).toBe(200);
});

test('an empty version leaves the endpoint at the base', async () => {
  const server = setupServer(...ehrHandlers({ url: `${EHR}/ehr/`, apiVersion: '' }));
  server.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => server.close());
  expect((await send(`${EHR}/ehr`, discover)).status).toBe(200);
  expect((await send(`${EHR}/ehr/1.0-alpha`, discover)).status).toBe(404);
});
