import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Pipeline } from '#protocol/methods/pipeline.ts';
import { clientCall, testPipeline } from '#protocol/testing.ts';
import { proves } from '#testing/proves.ts';
import { rpcListener } from '../rpc-http.ts';
import { chunk, JSON_TYPE, openConnection, requestText, serve } from '../testing.ts';

const BODY_LIMIT_BYTES = 2_000;
const CHUNKED = { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' };
const MEGABYTE = 'x'.repeat(1024 * 1024);

/** An endpoint with a small limit. `trace` lists what was executed; `arrival` is the next request. */
async function serveLimited(pipeline?: Pipeline) {
  const tested = testPipeline('string');
  const handler = rpcListener({
    pipeline: pipeline ?? tested.pipeline,
    channel: 'any',
    origins: new Set(),
    bodyLimit: BODY_LIMIT_BYTES,
  });
  const waiting: ((request: IncomingMessage) => void)[] = [];
  const listening = await serve((request, response) => {
    handler(request, response);
    waiting.shift()?.(request);
  });
  const arrival = () => new Promise<IncomingMessage>((resolve) => waiting.push(resolve));
  return { ...listening, arrival, trace: tested.trace };
}

/** A call whose text has exactly this length. */
function callOf(length: number): string {
  const empty = JSON.stringify(clientCall({ padding: '' })).length;
  return JSON.stringify(clientCall({ padding: 'x'.repeat(length - empty) }));
}

proves(['D2-too-large-413', 'D2-faults-have-json'], 'a body is read up to the limit', async () => {
  const { url, trace } = await serveLimited();
  const post = (body: string) => fetch(url, { method: 'POST', headers: JSON_TYPE, body });
  expect((await post(callOf(BODY_LIMIT_BYTES))).status).toBe(200);
  trace.splice(0);
  const refused = await post(callOf(BODY_LIMIT_BYTES + 1));
  expect(refused.status).toBe(413);
  expect((await refused.json()).error).toStrictEqual({
    status: 413,
    reason: 'too_large',
    message: 'The body is larger than 2000 bytes.',
    limit: BODY_LIMIT_BYTES,
  });
  expect(trace).toEqual([]);
});

proves(['D2-too-large-413'], 'the limit counts bytes and not characters', async () => {
  const { url } = await serveLimited();
  const body = JSON.stringify(clientCall({ padding: 'ж'.repeat(BODY_LIMIT_BYTES / 2) }));
  expect(body.length).toBeLessThan(BODY_LIMIT_BYTES);
  expect((await fetch(url, { method: 'POST', headers: JSON_TYPE, body })).status).toBe(413);
});

proves(['D2-too-large-413'], 'a refused body is read to its end, and its connection serves on', async () => {
  for (const [line, headers, body, refusal] of [
    ['POST /', JSON_TYPE, callOf(BODY_LIMIT_BYTES + 1), /^HTTP\/1\.1 413 .*"limit":2000\}\}$/s],
    ['POST /', JSON_TYPE, MEGABYTE, /^HTTP\/1\.1 413 .*"limit":2000\}\}$/s],
    ['PUT /', JSON_TYPE, MEGABYTE, /^HTTP\/1\.1 405 /],
    ['POST /', { 'Content-Type': 'text/plain' }, MEGABYTE, /^HTTP\/1\.1 415 /],
  ] as const) {
    const { port } = await serveLimited();
    const { socket, until } = await openConnection(port);
    socket.write(requestText(line, { ...headers, 'Content-Length': `${body.length}` }));
    await until(refusal);
    socket.write(body);
    socket.write(requestText('POST /', JSON_TYPE, JSON.stringify(clientCall())));
    await until(/HTTP\/1\.1 200 .*"result":\{"n":1\}/s);
  }
});

proves(['D2-too-large-413'], 'a body that grows too large is refused; its connection serves on', async () => {
  const { port, trace } = await serveLimited();
  const { socket, until, received } = await openConnection(port);
  socket.write(requestText('POST /', CHUNKED) + chunk(callOf(BODY_LIMIT_BYTES)));
  socket.write(chunk(' '));
  await until(/^HTTP\/1\.1 413 .*"limit":2000\}\}$/s);
  socket.write(`${chunk(MEGABYTE)}0\r\n\r\n`);
  socket.write(requestText('POST /', JSON_TYPE, JSON.stringify(clientCall())));
  await until(/HTTP\/1\.1 200 .*"result":\{"n":1\}/s);
  expect(received().match(/HTTP\/1\.1/g)).toHaveLength(2);
  expect(trace.filter((step) => step.startsWith('end'))).toEqual(['end 1']);
});

test('a caller who sends on after a refusal is cut after eight megabytes', async () => {
  for (const [line, headers, status] of [
    ['POST /', CHUNKED, 413],
    ['POST /', { 'Transfer-Encoding': 'chunked' }, 415],
    ['PUT /', CHUNKED, 405],
  ] as const) {
    const { port } = await serveLimited();
    const { socket, closed } = await openConnection(port);
    socket.write(requestText(line, headers));
    await pour(socket, chunk(MEGABYTE), 64);
    expect(await closed).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(socket.bytesWritten).toBeLessThan(64 * MEGABYTE.length);
  }
});

test('the answer is the last one where a refused body is not received', async () => {
  for (const [line, headers, status] of [
    ['POST /', JSON_TYPE, 413],
    ['POST /', { 'Content-Type': 'text/plain' }, 415],
    ['PUT /', JSON_TYPE, 405],
  ] as const) {
    const { port } = await serveLimited();
    const { socket, until, closed } = await openConnection(port);
    socket.write(requestText(line, { ...headers, 'Content-Length': `${13 * MEGABYTE.length}` }));
    // The answer is complete before anything of the body is sent.
    await until(new RegExp(`^HTTP/1\\.1 ${status} .*\r\nConnection: close\r\n.*\\}$`, 's'));
    await pour(socket, MEGABYTE, 13);
    expect((await closed).match(/HTTP\/1\.1/g)).toHaveLength(1);
  }
});

test('a call after a body far too long is answered, connection kept', async () => {
  const { port, trace } = await serveLimited();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const post = async (body: string): Promise<number | undefined> => {
    const sent = request({
      port,
      agent,
      method: 'POST',
      headers: { ...JSON_TYPE, 'Content-Length': body.length },
    });
    // The connection is cut while the rest of the body is being sent.
    sent.on('error', () => undefined).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  expect(await post(MEGABYTE.repeat(9))).toBe(413);
  expect(await post(JSON.stringify(clientCall()))).toBe(200);
  expect(trace).toContain('end 1');
});

test('a caller that disconnects during its body has nothing executed, and harms nobody', async () => {
  const { port, url, arrival, trace } = await serveLimited();
  const body = JSON.stringify(clientCall());
  for (const [headers, part] of [
    [{ ...JSON_TYPE, 'Content-Length': `${body.length + 1}` }, body],
    [{ ...JSON_TYPE, 'Content-Length': `${body.length}` }, ''],
    [CHUNKED, chunk(body)],
    [{ ...JSON_TYPE, 'Content-Length': `${MEGABYTE.length}` }, body],
    [{ 'Content-Type': 'text/plain', 'Content-Length': '100' }, body],
  ] as const) {
    const { socket } = await openConnection(port);
    const request = arrival();
    socket.write(requestText('POST /', headers) + part);
    await leave(socket, await request);
  }
  expect(trace).toEqual([]);
  expect((await fetch(url, { method: 'POST', headers: JSON_TYPE, body })).status).toBe(200);
});

test('a caller that disconnects before the reply harms nobody', async () => {
  const release: (() => void)[] = [];
  const { port, url, arrival } = await serveLimited(async () => {
    await new Promise<void>((resolve) => release.push(resolve));
    return { body: '{}' };
  });
  const { socket } = await openConnection(port);
  const request = arrival();
  socket.write(requestText('POST /', JSON_TYPE, '{}'));
  await leave(socket, await request);
  expect(release).toHaveLength(1);
  release[0]?.();
  expect((await fetch(url)).status).toBe(405);
});

test('an empty body is no JSON', async () => {
  const { port } = await serveLimited();
  const { socket, until } = await openConnection(port);
  socket.write(requestText('POST /', { ...JSON_TYPE, 'Content-Length': '0' }));
  await until(/HTTP\/1\.1 200 .*"reason":"parse_error"/s);
});

test('a caller who waits for a go gets it, or a refusal', async () => {
  const { port } = await serveLimited();
  const body = JSON.stringify(clientCall());
  const { socket, until } = await openConnection(port);
  socket.write(
    requestText('POST /', { ...JSON_TYPE, Expect: '100-continue', 'Content-Length': `${body.length}` }),
  );
  await until(/^HTTP\/1\.1 100 Continue/);
  socket.write(body);
  await until(/HTTP\/1\.1 200 .*"result"/s);
});

test('a call with an expectation that is not known is served', async () => {
  const { port } = await serveLimited();
  const body = JSON.stringify(clientCall());
  const { socket, until } = await openConnection(port);
  const headers = { ...JSON_TYPE, Expect: 'foo', 'Content-Length': `${body.length}` };
  socket.write(requestText('POST /', headers, body));
  await until(/HTTP\/1\.1 200 .*"result"/s);
});

/** Send again, at most this many times, until the other side closes the connection. */
async function pour(socket: Socket, text: string, times: number): Promise<void> {
  const closed = new Promise((resolve) => socket.on('close', resolve));
  for (let sent = 0; sent < times && !socket.destroyed; sent++)
    if (!socket.write(text))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
}

/** Cut the connection, and wait until the server has noticed. */
async function leave(socket: Socket, request: IncomingMessage): Promise<void> {
  const seen = new Promise((resolve) => request.socket.on('close', resolve));
  socket.destroy();
  await seen;
}
