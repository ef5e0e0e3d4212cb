import { expect, test } from 'vitest';
import { post, proxyBed } from '../../testing/proxy-bed.ts';

test('a fault armed for no method meets any call, until it is removed', async () => {
  const { proxy, seen } = await proxyBed();
  const disarm = proxy.arm({ fault: { name: 'http-500' }, times: Number.POSITIVE_INFINITY });
  for (const method of ['one', 'two', 'three']) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method });
    expect((await fetch(proxy.url, { method: 'POST', body })).status).toBe(500);
  }
  disarm();
  expect((await post(proxy)).status).toBe(200);
  expect(seen).toHaveLength(1);
});
