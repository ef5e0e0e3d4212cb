import type { IncomingMessage } from 'node:http';
import { expect, test, vi } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { Call } from '#protocol/wire/envelope.ts';
import { createLog } from '../../process/log.ts';
import { clientAddress } from './client-address.ts';
import { addressLimit, countInMemory, type Limit } from './limit.ts';
import { createRateLimiter } from './rate-limiter.ts';

/** A limiter of addresses and, by their method names, of calls; and the lines of its log. */
function limiter(perAddress: Limit, perExchangeToken?: Limit) {
  const lines: string[] = [];
  const log = createLog('test', 'warn', { write: (line) => void lines.push(line) });
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
});

test('a network of IPv6 has the points of one address', async () => {
  const { admit } = limiter(points('address', 1));
  expect(await admit(from('2001:db8::1'))).toBeUndefined();
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
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    limit: 'address',
    msg: 'requests could not be counted, and were let in',
  });
});

test('a key is forgotten after its window, and its timer holds nothing', async () => {
  const timeouts = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timeouts();
  const limit = countInMemory({ name: 'address', points: 1, durationSeconds: 0.05 });
  await limit.consume('a');
  expect(timeouts()).toBe(before);
  await expect.poll(() => limit.get('a')).toBeNull();
});
