/** What the tests of this room need to speak HTTP: a server that ends with its test, and a connection held by hand. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import express from 'express';
import { onTestFinished } from 'vitest';
import { systemClock } from '#protocol/clock.ts';
import { type Listening, type ListenOptions, listen } from './listener.ts';

/**
 * The two ways to an endpoint: on its own, as the servers dispatch it, and as one route of an express application. What
 * is tested of one holds for the other.
 */
export const ways = [
  { way: 'beside express', through: (handler: RequestListener): RequestListener => handler },
  { way: 'inside express', through: (handler: RequestListener): RequestListener => express().use(handler) },
] as const;

/** Serves until the test is over. */
export async function serve(handler: RequestListener, options: Partial<ListenOptions> = {}): Promise<Listening> {
  const listening = await listen(handler, { host: '127.0.0.1', port: 0, clock: systemClock, ...options });
  onTestFinished(() => listening.stop());
  return listening;
}

export type Connection = {
  socket: Socket;
  /** What has come back so far, a byte a character. */
  received(): string;
  /**
   * Waits until what has come back fits the pattern, and returns it.
   * @throws Error when the other side closes before
   */
  until(pattern: RegExp): Promise<string>;
  /** Waits until the connection is closed, however it ends, and returns what had come back. */
  closed: Promise<string>;
};

/** Opens a connection that is spoken over by hand, and cut when the test is over. */
export async function openConnection(port: number): Promise<Connection> {
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
    // A connection that is cut ends with an error first; both are an end.
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

/** The text of a request of one's own making; Host and Content-Length are added where they are missing. */
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
