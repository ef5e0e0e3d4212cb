/** Lets a server of the kit listen on its address, and stops it at once when asked to. */
import type { Server } from 'node:http';
import { bind } from '#service/http/listener/ports.ts';

/**
 * How long an idle connection is kept (ms). With the 5 s of Node, a busy machine closes a connection just as
 * the caller uses it again, and the kit would blame a party for that.
 */
const KEEP_ALIVE_MS = 120_000;
const HEADERS_MS = 20_000;
const REQUEST_MS = 60_000;

/** Lets a server look every 5 s for requests above the two limits. Node looks every 30 s. */
export const TIMELY = { connectionsCheckingInterval: 5_000 };

/** A server that listens. `stop` closes it and all its connections. */
export type BoundServer = { readonly url: string; readonly port: number; stop(): Promise<void> };

/** @throws Error that names the address and the remedy when the address cannot be used */
export async function bindServer(
  server: Server,
  host: string,
  port: number,
  protocol: 'http' | 'https' = 'http',
): Promise<BoundServer> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  const bound = await bind(server, { host, port });
  return {
    // 0.0.0.0 means every address of this machine, and is none that a caller can use.
    url: `${protocol}://${host === '0.0.0.0' ? '127.0.0.1' : host}:${bound}`,
    port: bound,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
