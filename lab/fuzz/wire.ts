/** Sends bodies over pooled connections, and bytes over sockets, whose replies are read as HTTP. */
import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { systemClock } from '#protocol/time/clock.ts';
import type { Bytes, RawInput } from './input.ts';

export type Posted = { status: number; text: string };

/**
 * A call that takes longer than this (ms), and a connection that is not closed for so long, counts as hung.
 */
const TIMEOUT_MS = 8_000;
/** After this silence (ms) the server is taken to wait for the rest of a request. */
const QUIET_MS = 30;
const dispatcher = new Agent({ connections: 4, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });

/**
 * Sends `body` as `application/json`.
 * @throws Error when no complete answer arrives in time
 */
export async function postBody(endpoint: URL, body: Bytes): Promise<Posted> {
  const headers = { 'content-type': 'application/json' };
  const bytes = Buffer.from(body, 'latin1');
  const response = await request(endpoint, { method: 'POST', headers, body: bytes, dispatcher });
  return { status: response.statusCode, text: await response.body.text() };
}

/** What came over a socket, and whether the server closed it. */
export type ReceivedBytes = { bytes: Bytes; isHung: boolean };

/** Sends the bytes and waits until the server has closed the connection. */
export function sendBytes(endpoint: URL, { bytes, cuts, ending }: RawInput): Promise<ReceivedBytes> {
  return new Promise((resolve) => {
    const socket = connect({ host: endpoint.hostname, port: Number(endpoint.port), allowHalfOpen: true });
    let received = '';
    let cancelQuiet: () => void = () => undefined;
    const finish = (isHung: boolean) => {
      cancelQuiet();
      cancelDeadline();
      socket.destroy();
      resolve({ bytes: received, isHung });
    };
    const cancelDeadline = systemClock.after(TIMEOUT_MS, () => finish(true));
    const listenOn = () => {
      cancelQuiet();
      cancelQuiet = systemClock.after(QUIET_MS, () => socket.end());
    };
    socket.setEncoding('latin1').setNoDelay(true);
    socket.on('data', (chunk: string) => {
      received += chunk;
      listenOn();
    });
    // A server resets a connection to stop input that it will not read.
    socket.on('error', () => finish(false)).on('close', () => finish(false));
    socket.on('end', () => socket.end());
    socket.on('connect', async () => {
      const edges = [0, ...cuts, bytes.length];
      for (const [index, edge] of edges.slice(1).entries()) {
        if (socket.destroyed) return;
        socket.write(bytes.slice(edges[index], edge), 'latin1');
        await new Promise(setImmediate);
      }
      if (ending === 'cut') finish(false);
      else if (ending === 'end') socket.end();
      else listenOn();
    });
  });
}

export type HttpResponse = { status: number; headers: string; body: string };

const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n/;
/** Node writes its own error responses in chunks of a few bytes. Their content is not checked. */
const CHUNKS = /^(?:[1-9a-f][0-9a-f]*\r\n[^\r\n]*\r\n)*0\r\n\r\n/;

/** Splits the reply into responses. `rest` holds the bytes that form no complete response. */
export function readResponses(bytes: Bytes): { responses: HttpResponse[]; rest: Bytes } {
  const responses: HttpResponse[] = [];
  let rest = bytes;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const status = Number(STATUS_LINE.exec(rest)?.[1]);
    if (end === -1 || Number.isNaN(status)) break;
    const headers = rest.slice(0, end);
    const length = lengthOf(rest.slice(end + 4), headers, status);
    if (length === undefined) break;
    responses.push({ status, headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return { responses, rest };
}

/** Returns the length of the body in bytes, or undefined when it is incomplete. */
function lengthOf(text: string, headers: string, status: number): number | undefined {
  // A response to HEAD announces a body but has none: the next one follows.
  if (status < 200 || status === 204 || STATUS_LINE.test(text)) return 0;
  if (/\r\ntransfer-encoding: *chunked/i.test(headers)) return CHUNKS.exec(text)?.[0].length;
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(headers)?.[1] ?? 0);
  return text.length >= length ? length : undefined;
}
