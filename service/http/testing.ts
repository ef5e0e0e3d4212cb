/**
 * HTTP helpers for the tests of this room: a server that stops with its test, and a connection used by hand.
 */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { type Listening, type ListenOptions, listen } from './listener/listener.ts';

/** Serve until the test is over. */
export async function serve(
  handler: RequestListener,
  options: Partial<ListenOptions> = {},
): Promise<Listening> {
  const listening = await listen(handler, { host: '127.0.0.1', port: 0, clock: systemClock, ...options });
  onTestFinished(() => listening.stop());
  return listening;
}

export type TestConnection = {
  socket: Socket;
  /** The bytes received so far, one character for each. */
  received(): string;
  /**
   * Wait until the received text matches the pattern, and return it.
   * @throws Error when the other side closes before that
   */
  until(pattern: RegExp): Promise<string>;
  /** Resolves when the connection is closed for any reason, to the text received until then. */
  closed: Promise<string>;
};

/** Open a connection for a test that writes requests by hand. It is cut when the test is over. */
export async function openConnection(port: number): Promise<TestConnection> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  let received = '';
  let look = () => false;
  socket.on('data', (text: string) => {
    received += text;
    look();
  });
  const closed = new Promise<string>((resolve) => {
    // A connection that is cut reports an error before it closes.
    socket.on('error', () => resolve(received)).on('close', () => resolve(received));
  });
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      look = () => {
        const isThere = pattern.test(received);
        if (isThere) {
          look = () => true;
          resolve(received);
        }
        return isThere;
      };
      if (!look()) void closed.then(() => reject(new Error(`The connection was closed after: ${received}`)));
    });
  return { socket, received: () => received, until, closed };
}

/** Write the text of a request. Host and Content-Length are added where they are missing. */
export function requestText(line: string, headers: Record<string, string> = {}, body = ''): string {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const all = { ...headers };
  if (!names.includes('host')) all.Host = '127.0.0.1';
  if (body !== '' && !names.includes('content-length') && !names.includes('transfer-encoding')) {
    all['Content-Length'] = String(Buffer.byteLength(body));
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
