import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { manualClock } from '#protocol/clock.ts';
import { createLog } from '../log.ts';
import { clientAddress } from './client-address.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { throttledNetworks } from './throttled-networks.ts';

test('the network of a refused address is throttled, and never a proxy for what its clients do', async () => {
  const limiter = createRateLimiter({
    client: clientAddress(['10.0.0.0/8']),
    perAddress: { points: 0, take: () => 1_000, size: 0 },
    clock: manualClock(),
    log: createLog('test', 'silent'),
  });
  const ask = (remoteAddress: string, forwarded?: string) =>
    limiter.admit({
      socket: { remoteAddress },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    } as unknown as IncomingMessage);
  expect(ask('198.51.100.7')).toEqual({ limited: 'address', retryAfterMs: 1_000 });
  // A caller that only claims to be a proxy is none.
  await ask('198.51.100.8', '203.0.113.9');
  await ask('10.1.2.3', '203.0.113.10');
  await ask('::ffff:198.51.100.9');
  const shunned = ['198.51.100.7', '198.51.100.8', '198.51.100.9', '203.0.113.9', '203.0.113.10', '10.1.2.3'];
  expect(shunned.filter((network) => throttledNetworks.has(network))).toEqual(shunned.slice(0, 3));
});
