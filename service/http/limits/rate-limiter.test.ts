import type { IncomingMessage } from 'node:http';
import { expect, test, vi } from 'vitest';
import { clientCall } from '#protocol/testing.ts';
import { manualClock } from '#protocol/time/clock.ts';
import type { Call, Malformed } from '#protocol/wire/envelope.ts';
import { recordedLog } from '../../process/testing-log.ts';
import { JSON_TYPE, limiterThat, ORIGIN, openConnection, requestText, serve, serveRpc } from '../testing.ts';
import { clientAddress } from './client-address.ts';
import { addressLimit, countInMemory, type Limit } from './limit.ts';
import { createRateLimiter, limitPages, type RateLimited } from './rate-limiter.ts';

/** A limiter of addresses and, by their method names, of calls; and the lines of its log. */
function limiter(perAddress: Limit, perExchangeToken?: Limit) {
  const { log, lines } = recordedLog('warn');
  const { admit, admitCalls } = createRateLimiter({
    client: clientAddress([]),
    perAddress,
    perExchangeToken: perExchangeToken && { limit: perExchangeToken, keyOf: ({ method }) => method },
    clock: manualClock(),
    log,
  });
  return { admit, admitCalls, lines };
}

const from = (remoteAddress: string) =>
  ({ socket: { remoteAddress }, headers: {} }) as unknown as IncomingMessage;
const call = (method: string): Call => ({ id: 1, method, params: {}, cred: undefined });
/** A limit in one window that outlasts the test. */
const points = (name: string, count: number) =>
  countInMemory({ name, points: count, durationSeconds: 3_600 });

test('each address has its own points, and is told how long to wait', async () => {
  const { admit } = limiter(points('address', 3));
  expect([await admit(from('192.0.2.1')), await admit(from('192.0.2.1'), 2)]).toEqual([undefined, undefined]);
  const rejected = await admit(from('192.0.2.1'));
  expect(rejected).toEqual({ limited: 'address', retryAfterMs: expect.any(Number), endsConnection: false });
  expect(rejected?.retryAfterMs).toBeGreaterThan(3_500_000);
  expect(rejected?.retryAfterMs).toBeLessThanOrEqual(3_600_000);
  expect(await admit(from('192.0.2.2'), 3)).toBeUndefined();
  // A network of IPv6 counts as one address.
  expect(await admit(from('2001:db8::1'), 3)).toBeUndefined();
  expect(await admit(from('2001:db8::2'))).toMatchObject({ limited: 'address' });
});

test('an address has a burst of twice its rate, and a batch', async () => {
  for (const [perSecond, admitted] of [
    [100_000, 300_000],
    [1, 101],
  ] as const) {
    const { admit } = limiter(addressLimit(perSecond, 'address', countInMemory));
    expect(await admit(from('192.0.2.1'), perSecond)).toBeUndefined();
    expect(await admit(from('192.0.2.1'), admitted - perSecond)).toBeUndefined();
    expect(await admit(from('192.0.2.1'), perSecond + 1)).toMatchObject({ limited: 'address' });
  }
});

test('a busy address is told to wait a second, and then admitted', async () => {
  // The counter of the package reads the clock of the machine.
  const machine = vi.spyOn(Date, 'now').mockReturnValue(1_000);
  const { admit } = limiter(addressLimit(2, 'address', countInMemory));
  const [first, then] = [from('192.0.2.1'), from('192.0.2.1')];
  expect([await admit(first, 2), await admit(first, 100)]).toEqual([undefined, undefined]);
  expect(await admit(first)).toMatchObject({ limited: 'address', retryAfterMs: 1_000 });
  machine.mockReturnValue(2_000);
  expect([await admit(then, 2), await admit(then)]).toEqual([undefined, expect.anything()]);
});

test('the calls of a body cost what is not paid for yet', async () => {
  const { admit, admitCalls } = limiter(points('address', 5));
  const batch = [call('a'), call('b'), call('c')];
  expect(await admitCalls(from('192.0.2.1'), batch, 1)).toBeUndefined();
  expect(await admitCalls(from('192.0.2.1'), batch, 3)).toBeUndefined();
  expect(await admit(from('192.0.2.1'), 3)).toBeUndefined();
  expect(await admitCalls(from('192.0.2.1'), batch, 2)).toMatchObject({ limited: 'address' });
});

test('uses of one exchange token are counted together, from any address', async () => {
  const { admitCalls } = limiter(points('address', 100), points('exchange_token', 3));
  expect(await admitCalls(from('192.0.2.1'), [call('a'), call('b'), call('a')], 3)).toBeUndefined();
  expect(await admitCalls(from('192.0.2.2'), [call('a')], 1)).toBeUndefined();
  expect(await admitCalls(from('192.0.2.3'), [call('a')], 1)).toMatchObject({ limited: 'exchange_token' });
  expect(await admitCalls(from('192.0.2.3'), [call('b')], 1)).toBeUndefined();
});

test('the fifth rejection on one connection ends it', async () => {
  const { admit } = limiter(points('address', 0));
  const connection = from('192.0.2.1');
  const ends = async (request: IncomingMessage) => (await admit(request))?.endsConnection;
  for (const ended of [false, false, false, false, true, true]) expect(await ends(connection)).toBe(ended);
  expect(await ends(from('192.0.2.1'))).toBe(false);
});

test('a limit that cannot count lets requests in, and the log says why', async () => {
  const { admit, lines } = limiter({ consume: () => Promise.reject(new Error('no counter')) });
  expect(await admit(from('192.0.2.1'))).toBeUndefined();
  expect(lines).toMatchObject([{ limit: 'address', msg: 'requests could not be counted, and were let in' }]);
});

test('a key is forgotten after its window, and its timer holds nothing', async () => {
  const timeouts = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timeouts();
  const limit = countInMemory({ name: 'address', points: 1, durationSeconds: 0.05 });
  await limit.consume('a');
  expect(timeouts()).toBe(before);
  await expect.poll(() => limit.get('a')).toBeNull();
});

const rateLimited: RateLimited = { limited: 'address', retryAfterMs: 1_200 };
const FROM_PAGE = { ...JSON_TYPE, Origin: ORIGIN };

/** An endpoint whose limiter answers with these verdicts. `asked`: the calls that it was asked about. */
async function serveLimited(verdicts: { request?: RateLimited; calls?: RateLimited }) {
  const asked: (readonly (Call | Malformed)[])[] = [];
  const limiter = limiterThat({
    admit: async () => verdicts.request,
    async admitCalls(_request, calls) {
      asked.push(calls);
      return verdicts.calls;
    },
  });
  return { ...(await serveRpc({ limiter })), asked };
}

test('a request too many is answered 429, readable for its page', async () => {
  const { post, trace, httpErrors, asked } = await serveLimited({ request: rateLimited });
  const reply = await post(clientCall(), FROM_PAGE);
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
  expect([trace, httpErrors, asked]).toEqual([[], [429], []]);
});

test('calls that are too many are rejected all together, before the first is executed', async () => {
  const { post, trace, httpErrors, asked, exchanges, violations } = await serveLimited({
    calls: { limited: 'exchange_token', retryAfterMs: 30_000 },
  });
  const reply = await post([clientCall(), clientCall({ id: undefined }), 7], FROM_PAGE);
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '30']);
  expect(reply.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  expect((await reply.json()).error).toMatchObject({
    reason: 'too_many_requests',
    limited: 'exchange_token',
  });
  expect([trace, httpErrors, asked[0]?.length]).toEqual([[], [429], 3]);
  expect(violations()).toEqual([]);
  expect(exchanges.map(({ status }) => status)).toEqual([429]);
});

test('an answer before the body keeps the connection for the next request', async () => {
  const verdicts: { request?: RateLimited } = { request: rateLimited };
  const { port } = await serveLimited(verdicts);
  const { socket, until, received } = await openConnection(port);
  const body = JSON.stringify(clientCall());
  socket.write(requestText('POST /', { ...JSON_TYPE, 'Content-Length': `${Buffer.byteLength(body)}` }));
  await until(/ 429 .*\}\}$/s);
  delete verdicts.request;
  socket.write(body + requestText('POST /', JSON_TYPE, body));
  await until(/ 200 .*"result"/s);
  expect(received().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 429', 'HTTP/1.1 200']);
});

test('a stop does not wait for a refused body that came late', async () => {
  const verdicts: RateLimited[] = [rateLimited];
  const limiter = limiterThat({ admit: async () => verdicts.pop() });
  const { port, stop } = await serveRpc({ limiter }, { graceMs: 3_600_000 });
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
  const limiter = limiterThat({ admit: () => new Promise((resolve) => decide.push(resolve)) });
  const { port, post, trace } = await serveRpc({ limiter });
  const { socket } = await openConnection(port);
  const body = JSON.stringify(clientCall());
  const headers = { ...JSON_TYPE, 'Content-Length': `${body.length}` };
  socket.write(requestText('POST /', headers) + body.slice(0, -1));
  while (decide.length === 0) await new Promise(setImmediate);
  socket.resetAndDestroy();
  await new Promise(setImmediate);
  decide[0]?.(undefined);
  const other = post(body);
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
  socket.write(requestText('POST /', JSON_TYPE, body).repeat(3));
  const received = await closed;
  expect(received.match(/HTTP\/1\.1 429/g)).toHaveLength(1);
  expect(received).toMatch(/connection: close/i);
  expect((await post(clientCall())).status).toBe(429);
});
