/** For tests of the recording proxy: a server, a proxy before it, and a socket that sends bytes to the proxy. */
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { bind } from '#service/http/listener/ports.ts';
import type { ExchangeEntry } from '../engine/journal/entry.ts';
import { openRecorder } from '../engine/journal/testing/exchanges.ts';
import { type RecordingProxy, startProxy } from '../engine/wire/proxy.ts';

export const METHOD = 'embedded_storage.save_exchange_token';
export const call = (id: unknown = 7, method = METHOD) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params: {} });

/** A request as the server received it. */
export type Seen = { method: string; url: string; rawHeaders: string[]; body: Buffer };

/**
 * Starts a server and a recording proxy before it. The server keeps its requests in `seen`. It answers each
 * by a JSON-RPC result, or, where `answer` is given, by the raw bytes that `answer` returns, and closes the
 * connection.
 */
export async function proxyBed(answer?: (seen: Seen, incoming: IncomingMessage) => { raw: string | Buffer }) {
  const seen: Seen[] = [];
  const upstream = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method = '', url = '', rawHeaders } = incoming;
    const one = { method, url, rawHeaders, body };
    seen.push(one);
    if (answer) {
      incoming.socket.end(answer(one, incoming).raw);
      return;
    }
    const { id } = JSON.parse(body.toString() || '{}') as { id?: unknown };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', result: { done: true }, id }));
  });
  const upstreamPort = await bind(upstream);
  onTestFinished(() => {
    upstream.closeAllConnections();
    return new Promise((resolve) => upstream.close(() => resolve()));
  });
  const recorder = openRecorder();
  const target = `http://127.0.0.1:${upstreamPort}`;
  const proxy = await startProxy({ link: 'auth->ehr', target, recorder, clock: systemClock });
  onTestFinished(() => proxy.stop());
  const exchanges = () =>
    recorder.entries().filter((entry): entry is ExchangeEntry => entry.kind === 'exchange');
  return { proxy, seen, upstream, recorder, exchanges };
}

/**
 * Sends bytes to the proxy. Returns all bytes that came back (`got`), and how the connection ended: the proxy
 * closed it (`end`), reset it (`reset`), or kept it open until `until` returned true (`kept`).
 */
export function onSocket({ url }: RecordingProxy, bytes: string | Buffer, until?: (got: string) => boolean) {
  return new Promise<{ got: Buffer; ended: 'end' | 'reset' | 'kept' }>((resolve) => {
    const chunks: Buffer[] = [];
    let how: 'end' | 'reset' | 'kept' = 'end';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (until?.(Buffer.concat(chunks).toString('latin1'))) {
        how = 'kept';
        socket.destroy();
      }
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      how = error.code === 'ECONNRESET' ? 'reset' : how;
    });
    socket.on('close', () => resolve({ got: Buffer.concat(chunks), ended: how }));
  });
}

/** The bytes of a POST request, for onSocket. `more` are further header lines, each with its line end. */
export const rawPost = (body: string, more = '') =>
  `POST /1.0-alpha/?a=1&a=%20b HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
export const post = (proxy: RecordingProxy, body = call()) =>
  fetch(`${proxy.url}/1.0-alpha/`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

/** All values of a header of a received request. rawHeaders has names and values in turn. */
export const headersOf = ({ rawHeaders }: Seen, name: string) =>
  rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name.toLowerCase(),
  );
