import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import { ehrHandlers } from './ehr-handlers.ts';
import { EHR, ENDPOINT, send, useMocks } from './testing.ts';

const discover = { jsonrpc: '2.0', id: 7, method: 'rpc.discover' };

test('replyId echo gives the id back as it came', async () => {
  const { post } = useMocks({ ehr: { replyId: 'echo' } });
  expect(await post(ENDPOINT, discover)).toMatchObject({ json: { id: 7 } });
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
