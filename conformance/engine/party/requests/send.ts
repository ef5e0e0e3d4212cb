/**
 * Sends a request of the kit, or half of one, to the server under test. Limits the time and size of the
 * answer, and says why there is none.
 */
import type { IncomingMessage } from 'node:http';
import { type Clock, deadline } from '#protocol/time/clock.ts';
import type { StepResult } from '../../journal/entry.ts';
import { headerPairs } from '../../journal/headers.ts';
import { http, https, net, tls } from '../../node-modules.ts';
import { textOf } from '../../wire/body.ts';
import { TOO_LARGE_HEADERS } from '../explain-unreachable.ts';
import type { HttpRequest } from './build-request.ts';

/** A whole HTTP answer. `text` is its body, unpacked and decoded; `path` and `at` are those of its request. */
export type Answer = {
  kind: 'answer';
  status: number;
  headers: Headers;
  text: string;
  path?: string;
  at?: number;
};
export type Failed = Extract<StepResult, { kind: 'failed' }>;

/** Limits the body of an answer, packed and unpacked. An answer to a step is far smaller. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** What a request says unless it has such a header itself. */
const USUAL_HEADERS = { accept: '*/*', 'accept-encoding': 'gzip, deflate', 'user-agent': 'node' };

/** An idle connection is closed after this time (ms): sooner than a server closes it, just as it is used. */
const IDLE_MS = 1_000;
const kept = { keepAlive: true, timeout: IDLE_MS };
const wires = http &&
  https && {
    'http:': { request: http.request, agent: new http.Agent(kept) },
    'https:': { request: https.request, agent: new https.Agent(kept) },
  };

/** Sends a request, and never rejects. `fetch` would take a tenth of the time of a whole run. */
export async function send(
  request: HttpRequest,
  { clock, timeoutMs, signal }: { clock: Clock; timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<Answer | Failed> {
  const limit = deadline(clock, timeoutMs, new Error('The time is up.'));
  const ended = signal ? AbortSignal.any([limit.signal, signal]) : limit.signal;
  try {
    const message = await answerTo(request, ended);
    const status = message.statusCode ?? 0;
    const pairs = headerPairs(message.rawHeaders);
    const body = await bodyOf(message);
    const text = body && textOf(body, pairs);
    if (text === undefined || Buffer.byteLength(text) > MAX_ANSWER_BYTES)
      return failed('unexpected-answer', `HTTP ${status} with more than ${MAX_ANSWER_BYTES / 1024} KiB`);
    const { pathname: path } = new URL(request.url);
    return { kind: 'answer', status, headers: new Headers(pairs), text, path, at: clock.now() };
  } catch (error) {
    if (limit.signal.aborted) return failed('timeout', `no complete answer within ${timeoutMs} ms`);
    if (ended.aborted) return failed('timeout', 'the step was broken off');
    return failed('unreachable', reasonOf(error));
  } finally {
    limit.cancel();
  }
}

export function failed(what: Failed['what'], detail: string): Failed {
  return { kind: 'failed', what, detail };
}

async function answerTo(
  { method, url, headers, body, certificate }: HttpRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const wire = wires?.[new URL(url).protocol === 'https:' ? 'https:' : 'http:'];
  if (!wire) throw new Error('A page in a browser sends no requests of the kit.');
  const { request, agent } = wire;
  const all = { ...USUAL_HEADERS, ...Object.fromEntries(new Headers(headers)) };
  return new Promise((resolve, reject) => {
    // The agent keeps the connections of each certificate apart.
    const sent = request(url, { method, headers: all, agent, signal, ...certificate }, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Undefined: the body is larger than {@link MAX_ANSWER_BYTES}. The connection is closed then. */
async function bodyOf(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Why an answer is missing where the server took the request and closed the connection. */
export const CLOSED_EARLY = 'the connection was closed before the answer was complete';

/** Sentences for the common error codes of Node. They never quote what the other side sent. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ENOTFOUND: 'there is no such host (ENOTFOUND)',
  ECONNRESET: 'the connection was reset (ECONNRESET)',
  EPIPE: 'the connection was closed while the request was sent (EPIPE)',
  ETIMEDOUT: 'the connection could not be made in time (ETIMEDOUT)',
  HPE_HEADER_OVERFLOW: `${TOO_LARGE_HEADERS} (HPE_HEADER_OVERFLOW)`,
  EHOSTUNREACH: 'there is no route to the host (EHOSTUNREACH)',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; name it in NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate is signed by an unknown authority; name that in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is signed by an unknown authority; name that in NODE_EXTRA_CA_CERTS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it demands a client certificate',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'it refused the handshake, as where it demands a client certificate',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'it does not accept the client certificate',
};

function reasonOf(error: unknown): string {
  const { code, name, message } = error as NodeJS.ErrnoException;
  // So Node says that the other side closed the connection, before or within its answer.
  if (code === 'ECONNRESET' && (message === 'socket hang up' || message === 'aborted')) return CLOSED_EARLY;
  // For example, a value that came from the server under test makes a header invalid. The message could quote
  // that value, so only the name of the error is shown.
  if (code === undefined || code.startsWith('ERR_INVALID')) return `the request could not be sent (${name})`;
  return REASONS[code] ?? `no answer (${code})`;
}

/** Limits the wait for the handshake of half a request. */
const MAX_CONNECT_MS = 3_000;

/** Sends half of the head of a request, for which a server must not wait while others call. Never rejects. */
export async function sendHalf(url: string): Promise<{ close(): void }> {
  const { protocol, hostname, port, pathname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isTls = protocol === 'https:';
  const to = { host, port: Number(port) || (isTls ? 443 : 80) };
  const socket = isTls ? tls?.connect(to) : net?.connect(to);
  await new Promise<void>((resolve) => {
    if (!socket) return resolve();
    socket.on('error', () => resolve()).setTimeout(MAX_CONNECT_MS, () => resolve());
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n`, () => resolve());
    });
  });
  return { close: () => void socket?.destroy() };
}
