import { expect, test } from 'vitest';
import { callText, MAX_BATCH } from '#protocol/wire/envelope.ts';
import { startWorld } from './testing/start.ts';

const body = callText({ id: 1, method: 'auth.logout' });
const send = (url: string, text: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://localhost:4300' },
    body: text,
  });

test('an address that calls too often is rejected until its time comes', async () => {
  const { server } = await startWorld({ config: { rateLimit: true, ratePerAddress: 2 } });
  expect((await send(server.url, `[${new Array(MAX_BATCH).fill(body).join()}]`)).status).toBe(200);
  let refused = await send(server.url, body);
  while (refused.status === 200) refused = await send(server.url, body);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(refused.headers.get('access-control-allow-origin')).toBe('http://localhost:4300');
  expect((await refused.json()).error).toMatchObject({ reason: 'too_many_requests', limited: 'address' });
  await expect.poll(async () => (await send(server.url, body)).status, { timeout: 5_000 }).toBe(200);
});
