import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '#protocol/clock.ts';
import type { ExchangeEntry } from '../journal/entry.ts';
import { Knowledge } from '../journal/knowledge.ts';
import { Recorder } from '../journal/recorder.ts';
import { startTap, type Tap } from './tap.ts';

const METHOD = 'embedded_storage.save_exchange_token';
const call = (id: unknown = 7, method = METHOD) => JSON.stringify({ jsonrpc: '2.0', id, method, params: {} });

type Seen = { method: string; url: string; rawHeaders: string[]; body: Buffer };
const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A tap before a server that keeps what it got and answers as JSON-RPC has it, unless told otherwise. */
async function ground(answer?: (seen: Seen, incoming: IncomingMessage) => { raw: string | Buffer }) {
  const seen: Seen[] = [];
  const upstream = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const one = { method: incoming.method ?? '', url: incoming.url ?? '', rawHeaders: incoming.rawHeaders, body };
    seen.push(one);
    if (answer) {
      incoming.socket.end(answer(one, incoming).raw);
      return;
    }
    const { id } = JSON.parse(body.toString() || '{}') as { id?: unknown };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', result: { done: true }, id }));
  });
  await listen(upstream);
  const recorder = new Recorder(systemClock, new Knowledge('auth', 'hidden-password', new Map()));
  const tap = await startTap({ link: 'auth->ehr', target: urlOf(upstream), recorder, clock: systemClock });
  closers.push(() => tap.stop());
  const exchanges = () => recorder.entries().filter((entry): entry is ExchangeEntry => entry.kind === 'exchange');
  return { tap, seen, upstream, recorder, exchanges };
}

async function listen(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
}
const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Writes bytes to the tap's socket and gives all that came back, and how the connection ended. */
function onSocket({ url }: Tap, bytes: string | Buffer, until?: (got: string) => boolean) {
  return new Promise<{ got: Buffer; ended: 'end' | 'reset' | 'kept' }>((resolve) => {
    const chunks: Buffer[] = [];
    let how: 'end' | 'reset' | 'kept' = 'end';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (until?.(Buffer.concat(chunks).toString('latin1'))) {
        how = 'kept';
        socket.destroy();
      }
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      how = error.code === 'ECONNRESET' ? 'reset' : how;
    });
    socket.on('close', () => resolve({ got: Buffer.concat(chunks), ended: how }));
  });
}

const rawPost = (body: string, more = '') =>
  `POST /1.0-alpha/?a=1&a=%20b HTTP/1.1\r\nHost: tap\r\nConnection: close\r\nContent-Type: application/json\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const post = (tap: Tap, body = call()) =>
  fetch(`${tap.url}/1.0-alpha/`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

const headersOf = ({ rawHeaders }: Seen, name: string) =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name.toLowerCase());

test('method, path, query, every header and the bytes of the body reach the server as they were sent', async () => {
  const { tap, seen, exchanges } = await ground(() => ({
    raw: 'HTTP/1.1 200 OK\r\nX-Twice: 1\r\nx-twice: 2\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 3\r\n\r\nabc',
  }));
  const { got } = await onSocket(tap, rawPost('{"ü": 1 }', 'X-Odd-CASE: one\r\nX-Odd-CASE: two\r\nX-Empty:\r\n'));
  expect(seen).toHaveLength(1);
  const [one] = seen as [Seen];
  expect(one).toMatchObject({ method: 'POST', url: '/1.0-alpha/?a=1&a=%20b' });
  expect(headersOf(one, 'x-odd-case')).toEqual(['one', 'two']);
  expect(one.rawHeaders).toContain('X-Odd-CASE');
  expect(headersOf(one, 'x-empty')).toEqual(['']);
  expect(one.body.toString()).toBe('{"ü": 1 }');
  const reply = got.toString('latin1');
  for (const line of ['X-Twice: 1', 'x-twice: 2', 'Set-Cookie: a=1', 'Set-Cookie: b=2']) expect(reply).toContain(line);
  expect(reply).not.toMatch(/^date:/im);
  expect(exchanges()).toHaveLength(1);
  expect(exchanges()[0]?.request.headers).toContainEqual(['X-Odd-CASE', 'two']);
});

test('bytes that are no text pass through unchanged, both ways', async () => {
  const bytes = Buffer.from([0, 255, 254, 128, 195, 40, 13, 10]);
  const head = `HTTP/1.1 207 Odd\r\nContent-Type: application/octet-stream\r\nContent-Length: ${bytes.length}\r\n\r\n`;
  const { tap, seen } = await ground(() => ({ raw: Buffer.concat([Buffer.from(head), bytes]) }));
  const response = await fetch(tap.url, { method: 'PUT', body: bytes });
  expect(response.status).toBe(207);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  expect(seen[0]).toMatchObject({ method: 'PUT', body: bytes });
});

test('a compressed reply stays compressed for the caller and stands in the journal unpacked', async () => {
  const packed = gzipSync('{"jsonrpc":"2.0","result":{},"id":7}');
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`;
  const { tap, exchanges } = await ground(() => ({ raw: Buffer.concat([Buffer.from(head), packed]) }));
  expect(await (await post(tap)).json()).toEqual({ jsonrpc: '2.0', result: {}, id: 7 });
  expect(exchanges()[0]?.response?.body).toBe('{"jsonrpc":"2.0","result":{},"id":7}');
  expect(exchanges()[0]?.facts.reply).toEqual({ result: true });
});

test('a chunked body reaches the server whole and in chunks', async () => {
  const { tap, seen, exchanges } = await ground();
  const body = call();
  const [one, two] = [body.slice(0, 9), body.slice(9)];
  const text = `POST / HTTP/1.1\r\nHost: t\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${one.length.toString(16)}\r\n${one}\r\n${two.length.toString(16)}\r\n${two}\r\n0\r\n\r\n`;
  const { got } = await onSocket(tap, text);
  expect(got.toString()).toContain('"done":true');
  expect(seen[0]?.body.toString()).toBe(body);
  expect(headersOf(seen[0] as Seen, 'transfer-encoding')).toEqual(['chunked']);
  expect(exchanges()[0]?.request.body).toBe(body);
});

test('a caller that speaks HTTP/1.0 is served, and its version is in the journal', async () => {
  const { tap, exchanges } = await ground();
  const body = call();
  const { got, ended } = await onSocket(tap, `POST / HTTP/1.0\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  expect(got.toString()).toContain('"done":true');
  expect(ended).toBe('end');
  expect(exchanges()[0]?.request.httpVersion).toBe('1.0');
});

test('two calls follow each other on one connection', async () => {
  const { tap, exchanges } = await ground();
  const one = rawPost(call(1)).replace('Connection: close', 'Connection: keep-alive');
  const two = (text: string) => text.split('"done":true').length === 3 && text.endsWith('}');
  const { got } = await onSocket(tap, one + one, two);
  expect(got.toString().match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  expect(exchanges()).toHaveLength(2);
});

test('a reply without a body stays without one', async () => {
  const { tap } = await ground(() => ({ raw: 'HTTP/1.1 204 No Content\r\n\r\n' }));
  const { got } = await onSocket(tap, rawPost(call()));
  expect(got.toString()).toMatch(/^HTTP\/1\.1 204/);
  expect(got.toString()).not.toMatch(/content-length/i);
});

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
  const begun = performance.now();
  expect(await (await post(tap)).json()).toMatchObject({ id: 7 });
  expect(performance.now() - begun).toBeGreaterThan(100);
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
