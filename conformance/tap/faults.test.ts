import { expect, test } from 'vitest';
import { systemClock } from '#protocol/clock.ts';
import type { ExchangeEntry } from '../journal/entry.ts';
import { call, ground, METHOD, onSocket, post, rawPost } from '../testing/tap-ground.ts';
import { startTap } from './tap.ts';

test.each([
  ['down', 'end'],
  ['reset', 'reset'],
] as const)('%s breaks the connection before the server is reached', async (name, how) => {
  const { tap, seen, exchanges } = await ground();
  tap.arm(METHOD, { name });
  const { got, ended } = await onSocket(tap, rawPost(call()));
  expect(got).toHaveLength(0);
  expect(ended).toBe(how);
  expect(seen).toHaveLength(0);
  expect(exchanges()).toMatchObject([{ fault: name, broke: 'reset', request: { body: call() } }]);
  expect(exchanges()[0]?.response).toBeUndefined();
});

test('a hanging call is in the journal while it hangs, and ends when it is hung up', async () => {
  const { tap, seen, recorder, exchanges } = await ground();
  tap.arm(METHOD, { name: 'hang' });
  const pending = post(tap).then(
    () => 'answered',
    () => 'broken',
  );
  while (exchanges()[0]?.facts.call === undefined) await new Promise(setImmediate);
  expect(exchanges()).toMatchObject([{ broke: 'timeout', facts: { call: { method: METHOD } } }]);
  recorder.note('later');
  tap.hangUp();
  expect(await pending).toBe('broken');
  while (exchanges()[0]?.broke === 'timeout') await new Promise(setImmediate);
  expect(exchanges()).toMatchObject([{ fault: 'hang', broke: 'closed-early' }]);
  expect(recorder.entries().map(({ kind }) => kind)).toEqual(['exchange', 'note']);
  expect(seen).toHaveLength(0);
});

test('a late reply comes after its delay, and not before', async () => {
  const { tap, exchanges } = await ground();
  tap.arm(METHOD, { name: 'late', delay: 120 });
  expect(await (await post(tap)).json()).toMatchObject({ id: 7 });
  const [entry] = exchanges() as [ExchangeEntry];
  expect(entry.fault).toBe('late');
  expect(entry.endedAt - entry.at).toBeGreaterThan(100);
});

test('a caller that does not wait for a late reply ends the exchange itself', async () => {
  const { tap, exchanges } = await ground();
  tap.arm(METHOD, { name: 'late', delay: 60_000 });
  const abort = new AbortController();
  const pending = fetch(tap.url, { method: 'POST', body: call(), signal: abort.signal }).catch(() => 'gave up');
  while (exchanges()[0]?.facts.call === undefined) await new Promise(setImmediate);
  abort.abort();
  expect(await pending).toBe('gave up');
  while (exchanges()[0]?.broke === 'timeout') await new Promise(setImmediate);
  expect(exchanges()).toMatchObject([{ fault: 'late', broke: 'closed-early' }]);
});

test('a truncated reply announces the whole and brings half', async () => {
  const { tap, seen, exchanges } = await ground();
  tap.arm(METHOD, { name: 'truncate' });
  const { got } = await onSocket(tap, rawPost(call()));
  const [head, body] = got.toString().split('\r\n\r\n') as [string, string];
  const announced = Number(/content-length: (\d+)/i.exec(head)?.[1]);
  expect(body.length).toBe(Math.floor(announced / 2));
  expect(seen).toHaveLength(1);
  expect(exchanges()).toMatchObject([{ fault: 'truncate', broke: 'closed-early' }]);
});

test('a reply in parts comes in several pieces and is whole in the end', async () => {
  const { tap } = await ground();
  tap.arm(METHOD, { name: 'split-reply', delay: 20 });
  const response = await post(tap);
  const pieces: string[] = [];
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>)
    pieces.push(Buffer.from(piece).toString());
  expect(pieces.length).toBeGreaterThan(1);
  expect(JSON.parse(pieces.join(''))).toMatchObject({ result: { done: true }, id: 7 });
});

test.each([
  ['wrong-id', 7, 1_000_010],
  ['wrong-id', 'a', 'a-another'],
  ['number-id', '7', 7],
  ['number-id', 'word', 'word'],
  ['string-id', 7, '7'],
] as const)('%s answers the id %j with %j, and the server did the call', async (name, id, given) => {
  const { tap, seen, exchanges } = await ground();
  tap.arm(METHOD, { name });
  expect(await (await post(tap, call(id))).json()).toEqual({ jsonrpc: '2.0', result: { done: true }, id: given });
  expect(seen).toHaveLength(1);
  expect(exchanges()).toMatchObject([{ fault: name }]);
});

test.each(['wrong-id', 'number-id', 'string-id'] as const)('%s leaves a reply that is no JSON alone', async (name) => {
  const { tap } = await ground(() => ({ raw: 'HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\noops' }));
  tap.arm(METHOD, { name });
  const response = await post(tap);
  expect([response.status, await response.text()]).toEqual([404, 'oops']);
});

test('not-json, http-500, redirect and refuse answer in the place of the server', async () => {
  const { tap, seen, exchanges } = await ground();
  tap.arm(METHOD, { name: 'not-json' });
  const page = await post(tap);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  await expect(page.json()).rejects.toThrow();
  tap.arm(METHOD, { name: 'http-500' });
  expect((await post(tap)).status).toBe(500);
  tap.arm(METHOD, { name: 'redirect', location: '/elsewhere/' });
  const redirected = await fetch(tap.url, { method: 'POST', body: call(), redirect: 'manual' });
  expect([redirected.status, redirected.headers.get('location')]).toEqual([307, '/elsewhere/']);
  const error = { code: -33000, message: 'No.', data: { reason: 'not_authorized' } };
  tap.arm(METHOD, { name: 'refuse', error });
  expect(await (await post(tap, call('x'))).json()).toEqual({ jsonrpc: '2.0', error, id: 'x' });
  expect(seen).toHaveLength(0);
  expect(exchanges().map(({ fault }) => fault)).toEqual(['not-json', 'http-500', 'redirect', 'refuse']);
  expect(exchanges()[3]?.facts.reply).toEqual({ result: false, code: -33000, reason: 'not_authorized' });
});

test('a lost reply: the server did the call, the journal has its reply, the caller gets nothing', async () => {
  const { tap, seen, exchanges } = await ground();
  tap.arm(METHOD, { name: 'reply-lost' });
  const { got } = await onSocket(tap, rawPost(call()));
  expect(got).toHaveLength(0);
  expect(seen).toHaveLength(1);
  expect(exchanges()).toMatchObject([
    { fault: 'reply-lost', broke: 'closed-early', facts: { reply: { result: true } } },
  ]);
});

test('a fault counts its times, and is for its method alone', async () => {
  const { tap } = await ground();
  tap.arm(METHOD, { name: 'http-500' }, 2);
  const statuses: number[] = [];
  const mention = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'another', params: { about: METHOD } });
  for (const body of [mention, call(), call(1, 'another'), call(), call()])
    statuses.push((await post(tap, body)).status);
  expect(statuses).toEqual([200, 500, 200, 500, 200]);
});

test('a method written with escapes, and one in a batch, meet the fault', async () => {
  const { tap } = await ground();
  tap.arm(METHOD, { name: 'http-500' }, 2);
  expect((await post(tap, call().replace('embedded', '\\u0065mbedded'))).status).toBe(500);
  expect((await post(tap, `[${call(1, 'another')},${call(2)}]`)).status).toBe(500);
});

test('a fault that is taken out twice takes no other with it', async () => {
  const { tap } = await ground();
  const disarm = tap.arm('another', { name: 'http-500' }, 5);
  tap.arm(METHOD, { name: 'http-500' }, 5);
  disarm();
  disarm();
  expect((await post(tap, call(1, 'another'))).status).toBe(200);
  expect((await post(tap)).status).toBe(500);
});

test('two calls at once are each answered their own and stand in the journal once', async () => {
  const { tap, exchanges } = await ground();
  const ids = Array.from({ length: 20 }, (_, index) => `call-${index}`);
  const replies = await Promise.all(
    ids.map(async (id) => (await (await post(tap, call(id))).json()) as { id: string }),
  );
  expect(replies.map(({ id }) => id)).toEqual(ids);
  expect(
    exchanges()
      .map(({ facts }) => facts.call?.id)
      .sort(),
  ).toEqual(ids.map((id) => JSON.stringify(id)).sort());
  expect(new Set(exchanges().map(({ seq }) => seq)).size).toBe(20);
});

test('a body above the limit is answered 413 and not passed on', async () => {
  const { tap, seen, exchanges } = await ground();
  const head = `POST / HTTP/1.1\r\nHost: t\r\nContent-Length: ${5 * 1024 * 1024}\r\n\r\n`;
  const { got } = await onSocket(tap, head + 'x'.repeat(4 * 1024 * 1024 + 1), (text) => text.includes('4 MiB'));
  expect(got.toString()).toMatch(/^HTTP\/1\.1 413/);
  expect(seen).toHaveLength(0);
  expect(exchanges()).toMatchObject([{ request: { body: '' }, response: { status: 413 } }]);
});

test('a server that is not there is told apart from one that breaks off', async () => {
  const { tap, upstream, exchanges } = await ground(() => ({
    raw: 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf',
  }));
  await expect(post(tap)).rejects.toThrow();
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
  await expect(post(tap)).rejects.toThrow();
  expect(exchanges().map(({ broke }) => broke)).toEqual(['closed-early', 'refused']);
});

test('a port that is taken is named with its remedy', async () => {
  const { tap, recorder } = await ground();
  const port = Number(new URL(tap.url).port);
  await expect(startTap({ link: 'auth->ehr', target: tap.url, port, recorder, clock: systemClock })).rejects.toThrow(
    `Failed to listen on 127.0.0.1:${port}. Another program uses it`,
  );
});
