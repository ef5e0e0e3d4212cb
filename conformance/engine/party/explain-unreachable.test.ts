import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { bindServer } from '../wire/bind.ts';
import { explainUnreachable, reasonRemedy, TOO_LARGE_HEADERS } from './explain-unreachable.ts';
import { send } from './requests/send.ts';

test('a port that web clients refuse is named as the reason', async () => {
  const url = 'http://127.0.0.1:6000';
  const error = await fetch(url).catch((reason: unknown) => reason);
  expect(await explainUnreachable(url, error, async () => undefined)).toEqual({
    found: 'web clients refuse port 6000, because another protocol uses it',
    remedy: 'Have the server listen on another port, such as 8080, and correct server.url.',
  });
});

test('headers above the limit are told with its size, by either client', async () => {
  const server = createServer((_request, response) =>
    response.setHeader('x-policy', 'a'.repeat(17_000)).end(),
  );
  const { url, stop } = await bindServer(server, '127.0.0.1', 0);
  onTestFinished(stop);
  const error = await fetch(url).catch((reason: unknown) => reason);
  const { found } = await explainUnreachable(url, error, async () => undefined);
  expect(found).toBe(`${url} answers: the headers are larger than 16 KiB (UND_ERR_HEADERS_OVERFLOW)`);
  const request = { method: 'GET', url, headers: [], body: undefined };
  expect(await send(request, { clock: systemClock, timeoutMs: 5_000 })).toMatchObject({
    detail: 'the headers are larger than 16 KiB (HPE_HEADER_OVERFLOW)',
  });
});

test.each([
  ['its certificate is signed by an unknown authority', /NODE_EXTRA_CA_CERTS/],
  ['its certificate is for another host', /valid for the host/],
  [TOO_LARGE_HEADERS, /--max-http-header-size/],
])('where %s, the remedy is for that', (found, remedy) => {
  expect(reasonRemedy(found)).toMatch(remedy);
});

test('another reason has no remedy here', () => {
  expect(reasonRemedy('nothing listens there (ECONNREFUSED)')).toBeUndefined();
});
