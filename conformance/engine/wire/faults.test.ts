import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { call, METHOD, onSocket, post, proxyBed, rawPost } from '../../testing/proxy-bed.ts';
import type { ExchangeEntry } from '../journal/entry.ts';
import { spoil, standIn } from './faults.ts';
import { startProxy } from './proxy.ts';

test.each([
  ['down', 'end'],
  ['reset', 'reset'],
] as const)('%s breaks the connection before the server is reached', async (name, how) => {
  const { proxy, seen, exchanges } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name } });
  const { got, ended } = await onSocket(proxy, rawPost(call()));
  expect(got).toHaveLength(0);
  expect(ended).toBe(how);
  expect(seen).toHaveLength(0);
  expect(exchanges()).toMatchObject([{ fault: name, broke: 'reset', request: { body: call() } }]);
  expect(exchanges()[0]?.response).toBeUndefined();
});

test('a hanging call is in the journal while it hangs, and ends with the fault', async () => {
  const { proxy, seen, recorder, exchanges } = await proxyBed();
  const disarm = proxy.arm({ method: METHOD, fault: { name: 'hang' } });
  const pending = post(proxy).then(
    () => 'answered',
    () => 'broken',
  );
  while (exchanges()[0]?.facts.call === undefined) await new Promise(setImmediate);
  expect(exchanges()).toMatchObject([{ broke: 'timeout', facts: { call: { method: METHOD } } }]);
  recorder.note('later');
  disarm();
  expect(await pending).toBe('broken');
  while (exchanges()[0]?.broke === 'timeout') await new Promise(setImmediate);
  expect(exchanges()).toMatchObject([{ fault: 'hang', broke: 'closed-early' }]);
  expect(recorder.entries().map(({ kind }) => kind)).toEqual(['exchange', 'note']);
  expect(seen).toHaveLength(0);
});

test('a late reply comes after its delay, and not before', async () => {
  const { proxy, exchanges } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'late', delay: 120 } });
  expect(await (await post(proxy)).json()).toMatchObject({ id: 7 });
  const [entry] = exchanges() as [ExchangeEntry];
  expect(entry.fault).toBe('late');
  expect(entry.endedAt - entry.at).toBeGreaterThan(100);
});

test('a caller that does not wait for a late reply ends the exchange itself', async () => {
  const { proxy, exchanges } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'late', delay: 60_000 } });
  const abort = new AbortController();
  const pending = fetch(proxy.url, { method: 'POST', body: call(), signal: abort.signal }).catch(() => 'gave up');
  while (exchanges()[0]?.facts.call === undefined) await new Promise(setImmediate);
  abort.abort();
  expect(await pending).toBe('gave up');
  while (exchanges()[0]?.broke === 'timeout') await new Promise(setImmediate);
  expect(exchanges()).toMatchObject([{ fault: 'late', broke: 'closed-early' }]);
});

test("a page can read a refusal that is given in the server's place", async () => {
  const { proxy } = await proxyBed();
  const origin = 'http://127.0.0.1:4300';
  const error = { code: -32000, message: 'Not now.' };
  proxy.arm({ method: METHOD, fault: { name: 'refuse', error }, times: 2 });
  const toPage = await fetch(proxy.url, { method: 'POST', headers: { origin }, body: call() });
  expect(await toPage.json()).toMatchObject({ error });
  expect(toPage.headers.get('access-control-allow-origin')).toBe(origin);
  expect(toPage.headers.get('vary')).toBe('Origin');
  const toProgram = await post(proxy);
  expect(toProgram.headers.has('access-control-allow-origin')).toBe(false);
});

test('a truncated reply announces the whole and brings half', async () => {
  const { proxy, seen, exchanges } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'truncate' } });
  const { got } = await onSocket(proxy, rawPost(call()));
  const [head, body] = got.toString().split('\r\n\r\n') as [string, string];
  const announced = Number(/content-length: (\d+)/i.exec(head)?.[1]);
  expect(body.length).toBe(Math.floor(announced / 2));
  expect(seen).toHaveLength(1);
  expect(exchanges()).toMatchObject([{ fault: 'truncate', broke: 'closed-early' }]);
});

test('a reply in parts comes in several pieces and is whole in the end', async () => {
  const { proxy } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'split-reply', delay: 20 } });
  const response = await post(proxy);
  const pieces: string[] = [];
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>)
    pieces.push(Buffer.from(piece).toString());
  expect(pieces.length).toBeGreaterThan(1);
  expect(JSON.parse(pieces.join(''))).toMatchObject({ result: { done: true }, id: 7 });
});

test('not-json, http-500, redirect and refuse answer in the place of the server', async () => {
  const { proxy, seen, exchanges } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'not-json' } });
  const page = await post(proxy);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  await expect(page.json()).rejects.toThrow();
  proxy.arm({ method: METHOD, fault: { name: 'http-500' } });
  expect((await post(proxy)).status).toBe(500);
  proxy.arm({ method: METHOD, fault: { name: 'redirect', location: '/elsewhere/' } });
  const redirected = await fetch(proxy.url, { method: 'POST', body: call(), redirect: 'manual' });
  expect([redirected.status, redirected.headers.get('location')]).toEqual([307, '/elsewhere/']);
  const error = { code: -33000, message: 'No.', data: { reason: 'not_authorized' } };
  proxy.arm({ method: METHOD, fault: { name: 'refuse', error } });
  expect(await (await post(proxy, call('x'))).json()).toEqual({ jsonrpc: '2.0', error, id: 'x' });
  expect(seen).toHaveLength(0);
  expect(exchanges().map(({ fault }) => fault)).toEqual(['not-json', 'http-500', 'redirect', 'refuse']);
  expect(exchanges()[3]?.facts.reply).toEqual({ result: false, code: -33000, reason: 'not_authorized' });
});

test.each([
  ['no-result', 200, { jsonrpc: '2.0', id: 7 }],
  ['result-and-error', 200, { jsonrpc: '2.0', result: { id: 'made-up' }, error: { code: -32603 }, id: 7 }],
  ['error-text', 200, { jsonrpc: '2.0', error: 'not today', id: 7 }],
  ['array', 200, [{ jsonrpc: '2.0', result: { id: 'made-up' }, id: 7 }]],
] as const)('%s answers so in the place of the server', async (name, status, body) => {
  const { proxy, seen, exchanges } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name } });
  const response = await post(proxy);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject(body as object);
  expect(seen).toHaveLength(0);
  expect(exchanges()).toMatchObject([{ fault: name }]);
});

test('status-204 answers without a body, and http-500 with the status that was asked for', async () => {
  const { proxy, seen } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'status-204' } });
  const empty = await post(proxy);
  expect([empty.status, await empty.text()]).toEqual([204, '']);
  proxy.arm({ method: METHOD, fault: { name: 'http-500', status: 503 } });
  expect((await post(proxy)).status).toBe(503);
  expect(seen).toHaveLength(0);
});

test('result-null replaces the result, and the server did the call', async () => {
  const { proxy, seen } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'result-null' } });
  expect(await (await post(proxy)).json()).toEqual({ jsonrpc: '2.0', result: null, id: 7 });
  expect(seen).toHaveLength(1);
});

test('gzip compresses the reply of the server and says so', async () => {
  const { proxy, seen, exchanges } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'gzip' } });
  const response = await post(proxy);
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(await response.json()).toEqual({ jsonrpc: '2.0', result: { done: true }, id: 7 });
  expect(seen).toHaveLength(1);
  expect(exchanges()).toMatchObject([{ fault: 'gzip', response: { status: 200 } }]);
});

test('a trickle sends blanks and never comes to the reply', async () => {
  const { proxy, seen, exchanges } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'trickle' } });
  const abort = new AbortController();
  const response = await fetch(proxy.url, { method: 'POST', body: call(), signal: abort.signal });
  const reader = response.body?.getReader();
  for (let part = 0; part < 2; part++)
    expect(Buffer.from((await reader?.read())?.value ?? [])).toEqual(Buffer.from(' '));
  abort.abort();
  await reader?.closed.catch(() => undefined);
  while (exchanges()[0]?.broke !== 'closed-early') await new Promise(setImmediate);
  expect(exchanges()).toMatchObject([{ fault: 'trickle', broke: 'closed-early' }]);
  expect(seen).toHaveLength(0);
});

test('a huge reply is padded in front of the right one, and the journal keeps the right one alone', async () => {
  const { proxy, exchanges } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'huge' } });
  const text = await (await post(proxy)).text();
  expect(text.length).toBeGreaterThan(8 * 1024 * 1024);
  expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', result: { done: true }, id: 7 });
  expect(exchanges()[0]?.response?.body).toBe(text.trim());
});

test('duplicate members stand before the right ones, so that the first and the last of them differ', async () => {
  const { proxy, seen } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'duplicate-members' } });
  const text = await (await post(proxy)).text();
  expect(text).toMatch(/^\{"id":"another","result":"another",.*"id":7/);
  expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', result: { done: true }, id: 7 });
  expect(seen).toHaveLength(1);
});

test('a lost reply: the server did the call, the journal has its reply, the caller gets nothing', async () => {
  const { proxy, seen, exchanges } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'reply-lost' } });
  const { got } = await onSocket(proxy, rawPost(call()));
  expect(got).toHaveLength(0);
  expect(seen).toHaveLength(1);
  expect(exchanges()).toMatchObject([
    { fault: 'reply-lost', broke: 'closed-early', facts: { reply: { result: true } } },
  ]);
});

test('a fault counts its times, and is for its method alone', async () => {
  const { proxy } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'http-500' }, times: 2 });
  const statuses: number[] = [];
  const mention = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'another', params: { about: METHOD } });
  for (const body of [mention, call(), call(1, 'another'), call(), call()])
    statuses.push((await post(proxy, body)).status);
  expect(statuses).toEqual([200, 500, 200, 500, 200]);
});

test('a method written with escapes, and one in a batch, meet the fault', async () => {
  const { proxy } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'http-500' }, times: 2 });
  expect((await post(proxy, call().replace('embedded', '\\u0065mbedded'))).status).toBe(500);
  expect((await post(proxy, `[${call(1, 'another')},${call(2)}]`)).status).toBe(500);
});

test('a fault that is taken out twice takes no other with it', async () => {
  const { proxy } = await proxyBed();
  const disarm = proxy.arm({ method: 'another', fault: { name: 'http-500' }, times: 5 });
  proxy.arm({ method: METHOD, fault: { name: 'http-500' }, times: 5 });
  disarm();
  disarm();
  expect((await post(proxy, call(1, 'another'))).status).toBe(200);
  expect((await post(proxy)).status).toBe(500);
});

test('two calls at once are each answered their own and stand in the journal once', async () => {
  const { proxy, exchanges } = await proxyBed();
  const ids = Array.from({ length: 20 }, (_, index) => `call-${index}`);
  const replies = await Promise.all(
    ids.map(async (id) => (await (await post(proxy, call(id))).json()) as { id: string }),
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
  const { proxy, seen, exchanges } = await proxyBed();
  const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${5 * 1024 * 1024}\r\n\r\n`;
  const { got } = await onSocket(proxy, head + 'x'.repeat(4 * 1024 * 1024 + 1), (text) => text.includes('4 MiB'));
  expect(got.toString()).toMatch(/^HTTP\/1\.1 413/);
  expect(seen).toHaveLength(0);
  expect(exchanges()).toMatchObject([{ request: { body: '' }, response: { status: 413 } }]);
});

test('a server that is not there is told apart from one that breaks off', async () => {
  const { proxy, upstream, exchanges } = await proxyBed(() => ({
    raw: 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf',
  }));
  await expect(post(proxy)).rejects.toThrow();
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
  await expect(post(proxy)).rejects.toThrow();
  expect(exchanges().map(({ broke }) => broke)).toEqual(['closed-early', 'refused']);
});

test('a port that is taken is named with its remedy', async () => {
  const { proxy, recorder } = await proxyBed();
  const port = Number(new URL(proxy.url).port);
  await expect(
    startProxy({ link: 'auth->ehr', target: proxy.url, port, recorder, clock: systemClock }),
  ).rejects.toThrow(`Failed to listen on 127.0.0.1:${port}. Another program uses it`);
});

test('a batch of one is answered by a batch, and its reply is spoilt like that of a single call', () => {
  const batch = '[{"jsonrpc":"2.0","id":7,"method":"m"}]';
  const bodyOf = (answer: { body: Buffer } | undefined) => JSON.parse(answer?.body.toString('utf8') ?? 'null');
  expect(bodyOf(standIn({ name: 'no-result' }, batch))).toEqual([{ jsonrpc: '2.0', id: 7 }]);
  expect(bodyOf(standIn({ name: 'array' }, batch))).toEqual([[{ jsonrpc: '2.0', result: { id: 'made-up' }, id: 7 }]]);
  const answer = { status: 200, headers: [], body: Buffer.from('[{"jsonrpc":"2.0","result":{},"id":"7"}]') };
  expect(bodyOf(spoil({ name: 'result-null' }, answer, batch))).toEqual([{ jsonrpc: '2.0', result: null, id: '7' }]);
  expect(bodyOf(spoil({ name: 'wrong-id' }, answer, batch))[0].id).not.toBe('7');
});
