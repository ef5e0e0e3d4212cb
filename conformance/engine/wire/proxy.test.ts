import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { call, headersOf, onSocket, post, proxyBed, rawPost, type Seen } from '../../testing/proxy-bed.ts';
import { startProxy } from './proxy.ts';

test('a request reaches the server as it was sent: query, headers and bytes', async () => {
  const { proxy, seen, exchanges } = await proxyBed(() => ({
    raw: 'HTTP/1.1 200 OK\r\nX-Twice: 1\r\nx-twice: 2\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 3\r\n\r\nabc',
  }));
  const { got } = await onSocket(
    proxy,
    rawPost('{"ü": 1 }', 'X-Odd-CASE: one\r\nX-Odd-CASE: two\r\nX-Empty:\r\n'),
  );
  expect(seen).toHaveLength(1);
  const [one] = seen as [Seen];
  expect(one).toMatchObject({ method: 'POST', url: '/1.0-alpha/?a=1&a=%20b' });
  expect(headersOf(one, 'x-odd-case')).toEqual(['one', 'two']);
  expect(one.rawHeaders).toContain('X-Odd-CASE');
  expect(headersOf(one, 'x-empty')).toEqual(['']);
  expect(one.body.toString()).toBe('{"ü": 1 }');
  const reply = got.toString('latin1');
  for (const line of ['X-Twice: 1', 'x-twice: 2', 'Set-Cookie: a=1', 'Set-Cookie: b=2'])
    expect(reply).toContain(line);
  expect(reply).not.toMatch(/^date:/im);
  expect(exchanges()).toHaveLength(1);
  expect(exchanges()[0]?.request.headers).toContainEqual(['X-Odd-CASE', 'two']);
});

test('bytes that are no text pass through unchanged, both ways', async () => {
  const bytes = Buffer.from([0, 255, 254, 128, 195, 40, 13, 10]);
  const head = `HTTP/1.1 207 Odd\r\nContent-Type: application/octet-stream\r\nContent-Length: ${bytes.length}\r\n\r\n`;
  const { proxy, seen } = await proxyBed(() => ({ raw: Buffer.concat([Buffer.from(head), bytes]) }));
  const response = await fetch(proxy.url, { method: 'PUT', body: bytes });
  expect(response.status).toBe(207);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  expect(seen[0]).toMatchObject({ method: 'PUT', body: bytes });
});

const UNPACKED = '{"jsonrpc":"2.0","result":{},"id":7}';

test.each([
  ['gzip', gzipSync(UNPACKED)],
  ['deflate', deflateSync(UNPACKED)],
  ['deflate', deflateRawSync(UNPACKED)],
  ['gzip, deflate', deflateSync(gzipSync(UNPACKED))],
])('a reply in %s passes packed, and stands in the journal unpacked', async (encoding, packed) => {
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${packed.length}\r\n\r\n`;
  const { proxy, exchanges } = await proxyBed(() => ({ raw: Buffer.concat([Buffer.from(head), packed]) }));
  expect(await (await post(proxy)).json()).toEqual({ jsonrpc: '2.0', result: {}, id: 7 });
  expect(exchanges()[0]?.response?.body).toBe(UNPACKED);
  expect(exchanges()[0]?.facts.reply).toEqual({ result: true });
});

test('a chunked body reaches the server whole and in chunks', async () => {
  const { proxy, seen, exchanges } = await proxyBed();
  const body = call();
  const [one, two] = [body.slice(0, 9), body.slice(9)];
  const text = `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${one.length.toString(16)}\r\n${one}\r\n${two.length.toString(16)}\r\n${two}\r\n0\r\n\r\n`;
  const { got } = await onSocket(proxy, text);
  expect(got.toString()).toContain('"done":true');
  expect(seen[0]?.body.toString()).toBe(body);
  expect(headersOf(seen[0] as Seen, 'transfer-encoding')).toEqual(['chunked']);
  expect(exchanges()[0]?.request.body).toBe(body);
});

test('a caller that speaks HTTP/1.0 is served, and its version is in the journal', async () => {
  const { proxy, exchanges } = await proxyBed();
  const body = call();
  const { got, ended } = await onSocket(
    proxy,
    `POST / HTTP/1.0\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(got.toString()).toContain('"done":true');
  expect(ended).toBe('end');
  expect(exchanges()[0]?.request.httpVersion).toBe('1.0');
});

test('two calls follow each other on one connection', async () => {
  const { proxy, exchanges } = await proxyBed();
  const one = rawPost(call(1)).replace('Connection: close', 'Connection: keep-alive');
  const two = (text: string) => text.split('"done":true').length === 3 && text.endsWith('}');
  const { got } = await onSocket(proxy, one + one, two);
  expect(got.toString().match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  expect(exchanges()).toHaveLength(2);
});

test('an idle connection is kept for two minutes', async () => {
  const { proxy } = await proxyBed();
  expect((await post(proxy)).headers.get('keep-alive')).toBe('timeout=120');
});

test('a reply without a body stays without one', async () => {
  const { proxy } = await proxyBed(() => ({ raw: 'HTTP/1.1 204 No Content\r\n\r\n' }));
  const { got } = await onSocket(proxy, rawPost(call()));
  expect(got.toString()).toMatch(/^HTTP\/1\.1 204/);
  expect(got.toString()).not.toMatch(/content-length/i);
});

test('calls at once are each answered their own and stand in the journal once', async () => {
  const { proxy, exchanges } = await proxyBed();
  const ids = Array.from({ length: 20 }, (_, index) => `call-${index}`);
  const replies = await Promise.all(ids.map(async (id) => (await post(proxy, call(id))).json()));
  expect(replies).toMatchObject(ids.map((id) => ({ id })));
  const recorded = exchanges().map(({ facts }) => facts.call?.id);
  expect(recorded.sort()).toEqual(ids.map((id) => JSON.stringify(id)).sort());
  expect(new Set(exchanges().map(({ seq }) => seq)).size).toBe(20);
});

test('a body above the limit is answered 413 and not passed on', async () => {
  const { proxy, seen, exchanges } = await proxyBed();
  const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${5 * 1024 * 1024}\r\n\r\n`;
  const { got } = await onSocket(proxy, head + 'x'.repeat(4 * 1024 * 1024 + 1), (text) =>
    text.includes('4096 KiB'),
  );
  expect(got.toString()).toMatch(/^HTTP\/1\.1 413/);
  expect(seen).toHaveLength(0);
  expect(exchanges()).toMatchObject([{ request: { body: '' }, response: { status: 413 } }]);
});

test('a wire has a limit of its own, plain and unpacked', async () => {
  const {
    proxy: behind,
    recorder,
    exchanges,
  } = await proxyBed(() => ({ raw: 'HTTP/1.1 204 No Content\r\n\r\n' }));
  const target = behind.url;
  const proxy = await startProxy({
    link: 'client->ehr',
    target,
    recorder,
    clock: systemClock,
    bodyLimit: 1024,
  });
  onTestFinished(() => proxy.stop());
  const plain = await post(proxy, ' '.repeat(1025));
  expect([plain.status, await plain.text()]).toEqual([413, expect.stringContaining('1 KiB')]);
  const headers = { 'content-encoding': 'gzip' };
  await fetch(proxy.url, { method: 'POST', headers, body: gzipSync(' '.repeat(1025)) });
  const kept = exchanges().find(({ link, response }) => link === 'client->ehr' && response?.status !== 413);
  expect(kept?.request.body).toMatch(/^‹\d+ /);
});

test('unfinished bodies above their limit are told 503, whole calls are answered', async () => {
  const { proxy } = await proxyBed();
  const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4194304\r\n\r\n';
  const unfinished = [1, 2, 3].map(() => onSocket(proxy, head + 'x'.repeat(4_100_000), (got) => got !== ''));
  const { got } = await Promise.race(unfinished);
  expect(got.toString()).toMatch(/^HTTP\/1\.1 503 .*not finished/s);
  expect((await post(proxy)).status).toBe(200);
});

test('a server that is not there is told apart from one that breaks off', async () => {
  const raw = 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf';
  const { proxy, upstream, exchanges } = await proxyBed(() => ({ raw }));
  await expect(post(proxy)).rejects.toThrow();
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
  await expect(post(proxy)).rejects.toThrow();
  expect(exchanges().map(({ broke }) => broke)).toEqual(['closed-early', 'refused']);
});

test('a port that is taken is named with its remedy', async () => {
  const { proxy, recorder } = await proxyBed();
  const port = Number(new URL(proxy.url).port);
  const second = startProxy({ link: 'auth->ehr', target: proxy.url, port, recorder, clock: systemClock });
  await expect(second).rejects.toThrow(
    `Failed to listen on 127.0.0.1:${port}: another program uses this port.`,
  );
});
