import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { converse } from './connection.ts';

/** Listens on a free port and calls `answer` for each request on a connection. */
async function serve(answer: (socket: Socket, turn: number) => void): Promise<number> {
  const server = createServer((socket) => {
    let turn = 0;
    socket.on('data', () => answer(socket, turn++)).on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function talk(port: number, calls: number) {
  let left = calls;
  const latencies: number[] = [];
  const over = converse(port, {
    expect: '"result":',
    next: () => (left-- > 0 ? Buffer.from('a request') : undefined),
    onAnswer: (milliseconds) => void latencies.push(milliseconds),
  });
  return { over, latencies };
}

const GOOD = 'HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n{"result":1}';

test('one call follows the other, each with the time that it took', async () => {
  const port = await serve((socket) => void socket.write(GOOD));
  const { over, latencies } = talk(port, 3);
  await over;
  expect(latencies).toHaveLength(3);
  expect(Math.min(...latencies)).toBeGreaterThan(0);
});

test('a reply that comes in pieces is one reply', async () => {
  const port = await serve((socket, turn) => {
    const cut = [20, 45, 52][turn] as number;
    socket.write(GOOD.slice(0, cut), () => setImmediate(() => socket.write(GOOD.slice(cut))));
  });
  const { over, latencies } = talk(port, 3);
  await over;
  expect(latencies).toHaveLength(3);
});

const refusals: readonly (readonly [what: string, reply: string, told: string])[] = [
  ['another status', 'HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nno', '503 Busy'],
  ['an error of JSON-RPC', 'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"error":1}', '{"error":1}'],
  ['more than was announced', `${GOOD}tail`, 'tail'],
  ['no announced length', 'HTTP/1.1 200 OK\r\nX: y\r\n\r\n{"result":1}', 'no Content-Length'],
];

for (const [what, reply, told] of refusals) {
  test(`a reply with ${what} ends the measurement, and is told`, async () => {
    const port = await serve((socket) => void socket.write(reply));
    await expect(talk(port, 1).over).rejects.toThrow(told);
  });
}

test('a connection that is closed in the middle ends the measurement', async () => {
  const port = await serve((socket) => void socket.end('HTTP/1.1 200'));
  await expect(talk(port, 1).over).rejects.toThrow('closed the connection');
});
