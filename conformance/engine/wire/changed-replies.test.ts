import { expect, test } from 'vitest';
import { call, METHOD, post, proxyBed } from '../../testing/proxy-bed.ts';

test.each([
  ['wrong-id', 7, 1_000_010],
  ['wrong-id', 'a', 'a-another'],
  ['number-id', '7', 7],
  ['number-id', 'word', 'word'],
  ['string-id', 7, '7'],
] as const)('%s answers the id %j with %j, and the server did the call', async (name, id, given) => {
  const { proxy, seen, exchanges } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name } });
  expect(await (await post(proxy, call(id))).json()).toEqual({ jsonrpc: '2.0', result: { done: true }, id: given });
  expect(seen).toHaveLength(1);
  expect(exchanges()).toMatchObject([{ fault: name }]);
});

test.each(['wrong-id', 'number-id', 'string-id'] as const)('%s leaves a reply that is no JSON alone', async (name) => {
  const { proxy } = await proxyBed(() => ({ raw: 'HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\noops' }));
  proxy.arm({ method: METHOD, fault: { name } });
  const response = await post(proxy);
  expect([response.status, await response.text()]).toEqual([404, 'oops']);
});

test('a result is emptied or given more members after the server did the call', async () => {
  const { proxy, seen } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'result-empty' } });
  expect(await (await post(proxy)).json()).toEqual({ jsonrpc: '2.0', result: {}, id: 7 });
  proxy.arm({ method: METHOD, fault: { name: 'more-members' } });
  const more = (await (await post(proxy)).json()) as { result: object };
  expect(more).toMatchObject({ jsonrpc: '2.0', result: { done: true }, id: 7 });
  expect([Object.keys(more).length, Object.keys(more.result).length]).toEqual([4, 2]);
  expect(seen).toHaveLength(2);
});
