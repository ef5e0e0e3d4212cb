import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { recordingClock } from '#protocol/testing.ts';
import { manualClock } from '#protocol/time/clock.ts';
import { proves } from '#testing/proves.ts';
import { openConnection, requestText, serve } from '../testing.ts';

const LOOK_MS = 10_000;
const CHUNKED = requestText('POST /', { 'Transfer-Encoding': 'chunked' });

/** A listener that answers when the body has come, or at once. `seen` waits until so many bytes have come. */
async function serveBodies({ atOnce = false } = {}) {
  const clock = manualClock();
  let bytes = 0;
  const listening = await serve(
    (request: IncomingMessage, response: ServerResponse) => {
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      if (atOnce) response.end('refused');
      else request.on('end', () => response.end('done'));
    },
    { clock },
  );
  const seen = (count: number) => expect.poll(() => bytes).toBe(count);
  return { ...listening, clock, seen };
}

proves(['T-client-20'], 'a request that stands still is ended with 408', async () => {
  const { port, clock, seen } = await serveBodies();
  const { socket, closed, received } = await openConnection(port);
  socket.write(`${CHUNKED}3\r\n   \r\n`);
  await seen(3);
  clock.advance(LOOK_MS);
  expect(received()).toBe('');
  clock.advance(LOOK_MS);
  expect(await closed).toMatch(/^HTTP\/1\.1 408 .*Connection: close/s);
});

test('a request that goes on, however slowly, is answered', async () => {
  const { port, clock, seen } = await serveBodies();
  const { socket, until } = await openConnection(port);
  socket.write(CHUNKED);
  for (let chunk = 1; chunk <= 4; chunk++) {
    socket.write('1\r\n \r\n');
    await seen(chunk);
    clock.advance(LOOK_MS);
  }
  socket.write('0\r\n\r\n');
  await until(/done/);
});

test('a connection whose refused body never ends is cut after the answer', async () => {
  const { port, clock } = await serveBodies({ atOnce: true });
  const { socket, until, closed } = await openConnection(port);
  socket.write(`${CHUNKED}3\r\n`);
  await until(/refused/);
  clock.advance(2 * LOOK_MS);
  expect(await closed).not.toContain('408');
});

test('a call that takes long is not cut, nor a connection at rest', async () => {
  const clock = manualClock();
  const waiting: ServerResponse[] = [];
  const { port } = await serve((_request, response) => void waiting.push(response), { clock });
  const { socket, until } = await openConnection(port);
  for (const text of ['first', 'second']) {
    socket.write(requestText('POST /', {}, '{}'));
    await expect.poll(() => waiting.length).toBe(1);
    clock.advance(5 * LOOK_MS);
    waiting.pop()?.end(text);
    await until(new RegExp(text));
    clock.advance(5 * LOOK_MS);
  }
});

test('a stop leaves no look behind', async () => {
  const { base, timers } = recordingClock();
  const { port, stop } = await serve((_request, response) => void response.end('done'), { clock: base });
  const { socket, until } = await openConnection(port);
  socket.write(requestText('GET /'));
  await until(/done/);
  expect(timers).not.toEqual([]);
  await stop();
  await expect.poll(() => timers).toEqual([]);
});
