/** HTTP for the tests of the shapes: small servers, and calls that keep the replies. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** `hang` never comes; a list is sent in parts. */
export type Answer = { status: number; headers: Record<string, string>; body: string | Buffer | string[] } | 'hang';
export type Asked = { text: string; path: string; headers: IncomingHttpHeaders };

const TURN_COUNT = 50;

/** Starts a server for one test. */
export async function startHttp(answer: (asked: Asked) => Answer | Promise<Answer>): Promise<{ url: string }> {
  const server = createServer(async (request, response) => {
    const text = await wholeTextOf(request);
    if (text === undefined) return;
    const { url: path = '', headers } = request;
    const given = await answer({ text, path, headers });
    if (given === 'hang') return;
    response.writeHead(given.status, given.headers);
    for (const part of Array.isArray(given.body) ? given.body : [given.body]) {
      response.write(part);
      // The reader shares this event loop, and has read the part by then.
      for (let turn = 0; turn < TURN_COUNT; turn++) await new Promise(setImmediate);
    }
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Reads a body; undefined when the connection ended before it, as at the end of a test. */
async function wholeTextOf(request: IncomingMessage): Promise<string | undefined> {
  const text = await readText(request).catch(() => '');
  return request.complete ? text : undefined;
}

/** The reply to a request. */
export type Reply = { status: number; headers: Headers; text: string; body: Record<string, unknown> };

/** Sends a JSON body, or a text unchanged. */
export async function send(
  url: string,
  { method = 'POST', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: unknown },
): Promise<Reply> {
  const typed = body === undefined ? headers : { 'content-type': 'application/json', ...headers };
  const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, { method, headers: typed, body: text });
  const answered = await response.text();
  const parsed = answered === '' ? {} : (JSON.parse(answered) as Record<string, unknown>);
  return { status: response.status, headers: response.headers, text: answered, body: parsed };
}

/**
 * Sends JSON bodies on one connection at once, so that they arrive together and in this order.
 * @returns the raw answers, in the same order
 */
export async function sendTogether(url: string, bodies: readonly unknown[]): Promise<string[]> {
  const { hostname, port, pathname } = new URL(url);
  const requests = bodies.map((body, index) => {
    const text = JSON.stringify(body);
    const connection = index === bodies.length - 1 ? 'close' : 'keep-alive';
    const headers = `host: ${hostname}\r\ncontent-type: application/json\r\nconnection: ${connection}`;
    return `POST ${pathname} HTTP/1.1\r\n${headers}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  });
  const socket = connect(Number(port), hostname);
  socket.write(requests.join(''));
  let received = '';
  for await (const chunk of socket) received += String(chunk);
  return received.split('HTTP/1.1 ').slice(1);
}
