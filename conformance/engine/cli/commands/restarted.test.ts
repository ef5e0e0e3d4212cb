import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';
import type { Clock } from '#protocol/time/clock.ts';
import { restarted } from './restarted.ts';

/** A clock on which short pauses are over at once, and a look never takes too long. */
const clock: Clock = {
  now: () => 0,
  after(ms, wake) {
    if (ms >= 1_000) return () => undefined;
    const handle = setImmediate(wake);
    return () => clearImmediate(handle);
  },
};

async function listening(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('a server that is gone and back was restarted', async () => {
  const server = createServer();
  const port = await listening(server);
  const told: string[] = [];
  let onGone: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    onGone = resolve;
  });
  const { signal } = new AbortController();
  const looked = once(server, 'connection');
  const back = restarted(`http://127.0.0.1:${port}/api`, { clock, signal, onGone }).then(() =>
    told.push('back'),
  );
  await looked;
  expect(told).toEqual([]);
  server.close();
  await gone;
  expect(told).toEqual([]);
  await listening(server, port);
  await back;
  expect(told).toEqual(['back']);
  server.close();
});

test('the waiting ends with its signal, whether the server is there or not', async () => {
  const server = createServer();
  const port = await listening(server);
  const controller = new AbortController();
  const gone: string[] = [];
  const waiting = restarted(`http://127.0.0.1:${port}`, {
    clock,
    signal: controller.signal,
    onGone: () => gone.push('gone'),
  });
  await once(server, 'connection');
  controller.abort();
  await waiting;
  expect(gone).toEqual([]);
  server.close();
  await once(server, 'close');
  const second = new AbortController();
  await restarted(`http://127.0.0.1:${port}`, { clock, signal: second.signal, onGone: () => second.abort() });
});
