import { EventEmitter } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { manualClock, systemClock } from '#protocol/time/clock.ts';
import { bind } from '#service/http/listener/ports.ts';
import { openRecorder } from '../journal/testing/exchanges.ts';
import { STEP_HEADER } from './body.ts';
import { startProxy } from './proxy.ts';
import { SimultaneousRequests } from './simultaneous-requests.ts';

/** What a server received on one connection: the text so far. */
type Received = { text: string; socket: Socket };

/** A proxy before a server that reads bytes as they come and answers each complete request. */
async function byteBed(clock = systemClock) {
  const connections: Received[] = [];
  let onBytes: () => void = () => undefined;
  const upstream = createServer((socket) => {
    const connection: Received = { text: '', socket };
    connections.push(connection);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      connection.text += bytes.toString('latin1');
      if (isWhole(connection.text))
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}');
      onBytes();
    });
    onBytes();
  });
  const target = `http://127.0.0.1:${await bind(upstream)}`;
  onTestFinished(() => new Promise((resolve) => upstream.close(() => resolve())));
  const proxy = await startProxy({ link: 'client->auth', target, recorder: openRecorder(), clock });
  onTestFinished(() => proxy.stop());
  /** Resolves as soon as the received connections fulfil `holds`. */
  const until = (holds: (seen: Received[]) => boolean) =>
    new Promise<void>((resolve) => {
      onBytes = () => {
        if (holds(connections)) resolve();
      };
      onBytes();
    });
  const send = (step: number, init: RequestInit = {}) =>
    fetch(`${proxy.url}/`, { method: 'POST', ...init, headers: { [STEP_HEADER]: String(step) } });
  return { proxy, connections, until, send };
}

function isWhole(text: string): boolean {
  const [head = '', body] = text.split('\r\n\r\n');
  if (body === undefined) return false;
  return body.length >= Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
}

test('requests with a body hold their last byte until all have come', async () => {
  const { proxy, connections, until, send } = await byteBed();
  proxy.sendTogether([1, 2, 3]);
  const first = [send(1, { body: 'one-1' }), send(2, { body: 'two-2' })];
  await until((seen) => seen.filter(({ text }) => /\r\n\r\n(one-|two-)$/.test(text)).length === 2);
  expect(connections.filter(({ text }) => isWhole(text))).toEqual([]);
  const answers = await Promise.all([...first, send(3, { body: 'three-3' })]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const bodies = connections.map(({ text }) => text.split('\r\n\r\n')[1]);
  expect(bodies.sort()).toEqual(['one-1', 'three-3', 'two-2']);
});

test('a request without a body waits whole on its open connection', async () => {
  const { proxy, connections, until, send } = await byteBed();
  proxy.sendTogether([1, 2]);
  const without = send(1, { method: 'DELETE' });
  await until((seen) => seen.length === 1);
  const empty = send(2);
  const statuses = (await Promise.all([without, empty])).map(({ status }) => status);
  expect(statuses).toEqual([200, 200]);
  expect(connections.map(({ text }) => text.split(' ')[0]).sort()).toEqual(['DELETE', 'POST']);
  expect(connections.every(({ text }) => text.endsWith('\r\n\r\n'))).toBe(true);
});

test('a body of a single byte waits as well', async () => {
  const { proxy, connections, until, send } = await byteBed();
  proxy.sendTogether([1, 2]);
  const one = send(1, { body: 'x' });
  await until((seen) => seen.some(({ text }) => text.endsWith('\r\n\r\n')));
  expect(connections.some(({ text }) => text.endsWith('x'))).toBe(false);
  const two = send(2, { body: 'yz' });
  expect((await Promise.all([one, two])).map(({ status }) => status)).toEqual([200, 200]);
});

test('a request that never comes holds up the others for five seconds', async () => {
  const clock = manualClock();
  const { proxy, connections, until, send } = await byteBed(clock);
  proxy.sendTogether([1, 2]);
  const one = send(1, { body: 'alone' });
  await until((seen) => seen.some(({ text }) => text.endsWith('alon')));
  clock.advance(4_999);
  await new Promise(setImmediate);
  expect(connections[0]?.text.endsWith('alon')).toBe(true);
  clock.advance(1);
  expect((await one).status).toBe(200);
});

test('requests of other steps, and those after the release, do not wait', async () => {
  const { proxy, send } = await byteBed();
  proxy.sendTogether([1, 2]);
  expect((await send(7, { body: 'other' })).status).toBe(200);
  await Promise.all([send(1, { body: 'a' }), send(2, { body: 'b' })]);
  expect((await send(1, { body: 'again' })).status).toBe(200);
});

test('two groups at the same time do not wait for each other', async () => {
  const { proxy, until, send } = await byteBed();
  proxy.sendTogether([1, 2]);
  proxy.sendTogether([3, 4]);
  const waiting = send(1, { body: 'waits' });
  await until((seen) => seen.some(({ text }) => text.endsWith('wait')));
  const answers = await Promise.all([send(3, { body: 'a' }), send(4, { body: 'b' })]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await Promise.all([waiting, send(2, { body: 'b' })]);
});

test('a connection that breaks releases the others', async () => {
  const { proxy, until, send, connections } = await byteBed();
  proxy.sendTogether([1, 2, 3]);
  const broken = send(1, { body: 'breaks' }).catch(() => 'broken');
  await until((seen) => seen.some(({ text }) => text.endsWith('break')));
  const other = send(2, { body: 'goes-on' });
  await until((seen) => seen.some(({ text }) => text.endsWith('goes-o')));
  connections[0]?.socket.resetAndDestroy();
  expect(await broken).toBe('broken');
  expect((await other).status).toBe(200);
});

test('a request that is connected only after the release is sent whole', () => {
  const clock = manualClock();
  const requests = new SimultaneousRequests([1, 2], clock, () => undefined);
  const [write, end] = [vi.fn(), vi.fn()];
  const outgoing = Object.assign(new EventEmitter(), { write, end, flushHeaders: () => undefined });
  requests.hold(outgoing as never, Buffer.from('late'));
  clock.advance(5_000);
  outgoing.emit('socket', { connecting: false });
  expect([write, end].map(({ mock }) => String(mock.lastCall?.[0]))).toEqual(['lat', 'e']);
});
