import { expect, test } from 'vitest';
import { clientCall, testMethods, testPipeline } from '#protocol/methods/testing-pipeline.ts';
import type { Call, Malformed } from '#protocol/wire/envelope.ts';
import { type Exchange, violationsOf } from '#protocol/wire/wire-guard.ts';
import { rpcListener } from '../rpc-http.ts';
import { openConnection, requestText, serve } from '../testing.ts';
import type { RateLimited, RateLimiter } from './rate-limiter.ts';
import { limitPages } from './too-many-requests.ts';

const ORIGIN = 'http://app.example';
const rateLimited: RateLimited = { limited: 'address', retryAfterMs: 1_200 };

/** A limiter that admits everything, except for what the test says. */
const limiterThat = (does: Partial<RateLimiter>): RateLimiter => ({
  admit: async () => undefined,
  admitCalls: async () => undefined,
  addressOf: () => '',
  reject: () => rateLimited,
  isNear: () => false,
  ...does,
});

/** An endpoint with a limiter that answers as the test says. */
async function serveLimited(verdicts: { request?: RateLimited; calls?: RateLimited }) {
  const { pipeline, trace } = testPipeline('string');
  const exchanges: Exchange[] = [];
  const faults: number[] = [];
  const asked: (readonly (Call | Malformed)[])[] = [];
  const limiter = limiterThat({
    admit: async () => verdicts.request,
    async admitCalls(_request, calls) {
      asked.push(calls);
      return verdicts.calls;
    },
  });
  const listening = await serve(
    rpcListener({
      pipeline,
      channel: 'any',
      origins: new Set([ORIGIN]),
      bodyLimit: 10_000,
      limiter,
      onHttpError: (status) => faults.push(status),
      onExchange: (exchange) => void exchanges.push(exchange),
    }),
  );
  const post = (body: unknown) =>
    fetch(listening.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: ORIGIN },
      body: JSON.stringify(body),
    });
  return { ...listening, post, trace, exchanges, faults, asked };
}

test('a request too many is answered 429, readable for its page', async () => {
  const { post, trace, faults, asked } = await serveLimited({ request: rateLimited });
  const reply = await post(clientCall());
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '2']);
  expect(reply.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  expect(await reply.json()).toEqual({
    error: {
      status: 429,
      reason: 'too_many_requests',
      message: 'Too many requests came from this address. Please try again in 2 seconds.',
      limited: 'address',
      retryAfter: 2,
    },
  });
  expect([trace, faults, asked]).toEqual([[], [429], []]);
});

test('calls that are too many are rejected all together, before the first is executed', async () => {
  const { post, trace, faults, asked, exchanges } = await serveLimited({
    calls: { limited: 'exchange_token', retryAfterMs: 30_000 },
  });
  const reply = await post([clientCall(), clientCall({ id: undefined }), 7]);
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '30']);
  expect(reply.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  expect((await reply.json()).error).toMatchObject({
    reason: 'too_many_requests',
    limited: 'exchange_token',
  });
  expect([trace, faults, asked[0]?.length]).toEqual([[], [429], 3]);
  expect(exchanges.flatMap((exchange) => violationsOf(exchange, testMethods))).toEqual([]);
  expect(exchanges.map(({ status }) => status)).toEqual([429]);
});

test('an answer before the body keeps the connection for the next request', async () => {
  const verdicts: { request?: RateLimited } = { request: rateLimited };
  const { port } = await serveLimited(verdicts);
  const { socket, until, received } = await openConnection(port);
  const body = JSON.stringify(clientCall());
  const headers = { 'Content-Type': 'application/json', 'Content-Length': `${Buffer.byteLength(body)}` };
  socket.write(requestText('POST /', headers));
  await until(/ 429 .*\}\}$/s);
  delete verdicts.request;
  socket.write(body + requestText('POST /', { 'Content-Type': 'application/json' }, body));
  await until(/ 200 .*"result"/s);
  expect(received().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 429', 'HTTP/1.1 200']);
});

test('a stop does not wait for a refused body that came late', async () => {
  const verdicts: RateLimited[] = [rateLimited];
  const limiter = limiterThat({ admit: async () => verdicts.pop() });
  const { pipeline } = testPipeline('string');
  const listener = rpcListener({ pipeline, channel: 'any', origins: new Set(), bodyLimit: 10_000, limiter });
  const { port, stop } = await serve(listener, { graceMs: 3_600_000 });
  const { socket, until, closed } = await openConnection(port);
  socket.write(requestText('POST /', { 'Content-Length': '5' }));
  await until(/ 429 .*\}\}$/s);
  socket.write('12345');
  // The next answer shows that the five bytes have been read.
  socket.write(requestText('OPTIONS /'));
  await until(/ 204 /);
  await Promise.all([stop(), closed]);
});

test('a preflight falls under the limit like any request', async () => {
  const verdicts: { request?: RateLimited } = { request: rateLimited };
  const { url } = await serveLimited(verdicts);
  const ask = async () => {
    const reply = await fetch(url, { method: 'OPTIONS', headers: { Origin: ORIGIN } });
    return [reply.status, reply.headers.get('access-control-allow-origin')];
  };
  expect(await ask()).toEqual([429, ORIGIN]);
  delete verdicts.request;
  expect(await ask()).toEqual([204, ORIGIN]);
});

test('a caller that disconnects while the limiter decides leaves nothing behind', async () => {
  const decide: ((verdict: RateLimited | undefined) => void)[] = [];
  const { pipeline, trace } = testPipeline('string');
  const limiter = limiterThat({ admit: () => new Promise((resolve) => decide.push(resolve)) });
  const { port, url } = await serve(
    rpcListener({ pipeline, channel: 'any', origins: new Set(), bodyLimit: 10_000, limiter }),
  );
  const { socket } = await openConnection(port);
  const body = JSON.stringify(clientCall());
  const headers = { 'Content-Type': 'application/json', 'Content-Length': `${body.length}` };
  socket.write(requestText('POST /', headers) + body.slice(0, -1));
  while (decide.length === 0) await new Promise(setImmediate);
  socket.resetAndDestroy();
  await new Promise(setImmediate);
  decide[0]?.(undefined);
  const other = fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  while (decide.length < 2) await new Promise(setImmediate);
  decide[1]?.(rateLimited);
  expect((await other).status).toBe(429);
  expect(trace).toEqual([]);
});

test('pages have the same limit, except health and readiness for this machine', async () => {
  let near = false;
  const limiter = limiterThat({ admit: async () => rateLimited, isNear: () => near });
  const { url } = await serve(
    limitPages((_request, response) => void response.end('a page'), limiter, new Set([ORIGIN])),
  );
  const statusOf = async (path: string, method = 'GET') => (await fetch(url + path, { method })).status;
  for (const path of ['/', '/healthz/x', '/healthz', '/readyz']) expect(await statusOf(path), path).toBe(429);
  expect(await statusOf('/outbox', 'OPTIONS')).toBe(429);
  near = true;
  expect(await statusOf('/healthz?probe')).toBe(200);
  expect(await statusOf('/readyz')).toBe(200);
  expect(await statusOf('/outbox', 'OPTIONS')).toBe(429);
  expect(await statusOf('/')).toBe(429);
  const reply = await fetch(url, { headers: { Origin: ORIGIN } });
  expect([reply.headers.get('access-control-allow-origin'), reply.headers.get('retry-after')]).toEqual([
    ORIGIN,
    '2',
  ]);
});

test('a rejection that ends the connection says so, and is the last', async () => {
  const { port, post } = await serveLimited({ request: { ...rateLimited, endsConnection: true } });
  const { socket, closed } = await openConnection(port);
  const body = JSON.stringify(clientCall());
  socket.write(requestText('POST /', { 'Content-Type': 'application/json' }, body).repeat(3));
  const received = await closed;
  expect(received.match(/HTTP\/1\.1 429/g)).toHaveLength(1);
  expect(received).toMatch(/connection: close/i);
  expect((await post(clientCall())).status).toBe(429);
});
