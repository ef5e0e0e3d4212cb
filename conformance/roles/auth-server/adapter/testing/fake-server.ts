/** Starts an HTTP server for tests, which gives the answer that a test sets and remembers its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { bindServer } from '../../../../engine/wire/bind.ts';

export type Received = { method: string; path: string; headers: IncomingMessage['headers']; body: string };

export type FakeReply = { status?: number; body?: unknown; headers?: Record<string, string | string[]> };

export type Answer = FakeReply | ((request: Received, response: ServerResponse) => void);

export type FakeServer = { url: string; received: Received[]; json(): unknown; answer(answer: Answer): void };

export async function startFakeServer(first: Answer = {}): Promise<FakeServer> {
  const received: Received[] = [];
  let current = first;
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const { method = '', url: path = '', headers } = message;
      const request = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(request);
      if (typeof current === 'function') current(request, response);
      else send(response, current);
    });
  });
  const bound = await bindServer(server, '127.0.0.1', 0);
  onTestFinished(() => bound.stop());
  return {
    url: bound.url,
    received,
    json: () => JSON.parse(received.at(-1)?.body ?? ''),
    answer: (answer) => {
      current = answer;
    },
  };
}

export function send(response: ServerResponse, { status = 200, body = {}, headers = {} }: FakeReply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Returns an address at which nothing listens: that of a server that was stopped. */
export async function closedUrl(): Promise<string> {
  const bound = await bindServer(createServer(), '127.0.0.1', 0);
  await bound.stop();
  return bound.url;
}
