/**
 * HTTP helpers for tests: servers and endpoints that stop with their test, a rate limiter that decides as the
 * test says, and connections used by hand.
 */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { testMethods, testPipeline } from '#protocol/testing.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { type Exchange, violationsOf } from '#protocol/wire/violations.ts';
import type { RateLimited, RateLimiter } from './limits/rate-limiter.ts';
import { type Listening, type ListenOptions, listen } from './listener/listener.ts';
import { type RpcEndpoint, rpcListener } from './rpc-http.ts';

/** Serve until the test is over. */
export async function serve(
  handler: RequestListener,
  options: Partial<ListenOptions> = {},
): Promise<Listening> {
  const listening = await listen(handler, { host: '127.0.0.1', port: 0, clock: systemClock, ...options });
  onTestFinished(() => listening.stop());
  return listening;
}

/** The origin whose pages may call the endpoint of `serveRpc`. */
export const ORIGIN = 'http://localhost:4300';
export const JSON_TYPE = { 'Content-Type': 'application/json' };

/**
 * Serve the test methods until the test is over. `trace`: what was executed; `httpErrors`: the statuses of
 * refusals by HTTP; `violations`: what of the exchanges broke the contract.
 */
export async function serveRpc(endpoint: Partial<RpcEndpoint> = {}, options: Partial<ListenOptions> = {}) {
  const { pipeline, trace } = testPipeline('string');
  const exchanges: Exchange[] = [];
  const httpErrors: number[] = [];
  const listener = rpcListener({
    pipeline,
    channel: 'any',
    origins: new Set([ORIGIN]),
    bodyLimit: 10_000,
    onHttpError: (status) => httpErrors.push(status),
    onExchange: (exchange) => void exchanges.push(exchange),
    ...endpoint,
  });
  const listening = await serve(listener, options);
  const post = (body: unknown, headers: Record<string, string> = JSON_TYPE) =>
    fetch(listening.url, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const violations = () => exchanges.flatMap((exchange) => violationsOf(exchange, testMethods));
  return { ...listening, post, trace, exchanges, violations, httpErrors };
}

/** A limiter that admits everything, except for what the test says. */
export function limiterThat(does: Partial<RateLimiter>): RateLimiter {
  return {
    admit: async () => undefined,
    admitCalls: async () => undefined,
    addressOf: () => 'address',
    reject: (_request, limited, retryAfterMs) => ({ limited, retryAfterMs }),
    isNear: () => false,
    ...does,
  };
}

/** The limit of bodies at the endpoint of `serveCharged`. */
export const MIB_BYTES = 1024 * 1024;

/**
 * Serve an endpoint that charges its callers until the test is over. `paid`: the points charged so far. Each
 * caller says its address in X-Forwarded-For.
 * @param verdicts what the limiter says next
 */
export async function serveCharged(verdicts: (RateLimited | undefined)[] = []) {
  const paid: number[] = [];
  const limiter = limiterThat({
    async admit(_request, points = 1) {
      paid.push(points);
      return verdicts.shift();
    },
    async admitCalls(_request, calls, points) {
      paid.push(Math.max(0, calls.length - points));
      return undefined;
    },
    addressOf: ({ headers }) => String(headers['x-forwarded-for']),
  });
  const sumPaid = () => paid.reduce((sum, points) => sum + points, 0);
  return { ...(await serveRpc({ limiter, bodyLimit: MIB_BYTES })), paid, sumPaid };
}

type TestConnection<Of extends Socket = Socket> = {
  socket: Of;
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
  const connection = connectionOver(connect(port, '127.0.0.1'));
  await once(connection.socket, 'connect');
  return connection;
}

/** Receive what comes over a socket. It is cut when the test is over. */
export function connectionOver<Of extends Socket>(socket: Of): TestConnection<Of> {
  socket.setEncoding('latin1');
  onTestFinished(() => void socket.destroy());
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

/** A chunk of a body that is sent with `Transfer-Encoding: chunked`. */
export const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
