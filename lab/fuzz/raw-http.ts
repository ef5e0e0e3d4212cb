/** Sends bytes over a socket and reads the reply as HTTP responses, complete or truncated. */
import { connect } from 'node:net';
import { systemClock } from '#protocol/time/clock.ts';
import type { Bytes, RawInput } from './input.ts';

export type Received = {
  bytes: Bytes;
  /** How the server ended the connection. */
  end: 'closed' | 'hung';
};

export type HttpResponse = { status: number; headers: string; body: string };

/** After this silence (ms) the server is taken to wait for the rest of a request. */
const QUIET_MS = 30;
/** Time (ms) that a server has to close a connection whose writing side is closed. */
const CLOSE_TIMEOUT_MS = 8_000;

/** Sends the bytes and waits until the server has closed the connection. */
export function sendBytes(endpoint: URL, { bytes, cuts, ending }: RawInput): Promise<Received> {
  return new Promise((resolve) => {
    const socket = connect({ host: endpoint.hostname, port: Number(endpoint.port), allowHalfOpen: true });
    let received = '';
    let cancelQuiet: () => void = () => undefined;
    const cancelDeadline = systemClock.after(CLOSE_TIMEOUT_MS, () => finish('hung'));
    const finish = (end: Received['end']) => {
      cancelQuiet();
      cancelDeadline();
      socket.destroy();
      resolve({ bytes: received, end });
    };
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
    socket.on('error', () => finish('closed'));
    socket.on('close', () => finish('closed'));
    socket.on('end', () => socket.end());
    socket.on('connect', async () => {
      const edges = [0, ...cuts, bytes.length];
      for (const [index, edge] of edges.slice(1).entries()) {
        if (socket.destroyed) return;
        socket.write(bytes.slice(edges[index], edge), 'latin1');
        await new Promise(setImmediate);
      }
      if (ending === 'cut') finish('closed');
      else if (ending === 'end') socket.end();
      else listenOn();
    });
  });
}

const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n/;

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
  if (status < 200 || status === 204) return 0;
  // A response to HEAD announces a body but has none.
  if (STATUS_LINE.test(text)) return 0;
  if (/\r\ntransfer-encoding: *chunked/i.test(headers)) return CHUNKS.exec(text)?.[0].length;
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(headers)?.[1] ?? 0);
  return text.length >= length ? length : undefined;
}

/** Node writes its own error responses in chunks of a few bytes. Their content is not checked. */
const CHUNKS = /^(?:[1-9a-f][0-9a-f]*\r\n[^\r\n]*\r\n)*0\r\n\r\n/;
