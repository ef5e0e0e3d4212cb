import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { sendHalf } from './send.ts';

test('half a request is sent, and its connection stays until it is closed', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const connected = once(server, 'connection');
  const half = await sendHalf(`http://127.0.0.1:${port}/1.0/`);
  const [socket] = await connected;
  const [sent] = await once(socket, 'data');
  expect(String(sent)).toBe('POST /1.0/ HTTP/1.1\r\nHost: 127.0.0.1\r\n');
  expect(socket.readableEnded).toBe(false);
  const closed = once(socket, 'close');
  half.close();
  await closed;
  server.close();
});

test('a server that is not there is judged by the next call', async () => {
  await expect(sendHalf('http://127.0.0.1:1/')).resolves.toBeDefined();
});
