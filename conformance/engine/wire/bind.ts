/** Binds a server of the kit to its address, with a clear error, and closes it at once. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Keeps an idle connection for this long (ms). With the 5 s of Node, a busy machine closes connections of the
 * kit just as they are used again, and the other side would be blamed.
 */
const KEEP_ALIVE_MS = 120_000;
/** How long a head, and a whole request, may take to come in (ms). */
const HEADERS_MS = 20_000;
const REQUEST_MS = 60_000;

export type BoundServer = { readonly url: string; readonly port: number; stop(): Promise<void> };

/** @throws Error that names the address and the remedy when it cannot be had */
export async function bindServer(
  server: Server,
  host: string,
  port: number,
  protocol: 'http' | 'https' = 'http',
): Promise<BoundServer> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const remedy =
        cause.code === 'EADDRINUSE'
          ? 'Another program uses it: stop that one, or choose another port in the adapter file.'
          : cause.message;
      reject(new Error(`Failed to listen on ${host}:${port}. ${remedy}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `${protocol}://${host === '0.0.0.0' ? '127.0.0.1' : host}:${bound}`,
    port: bound,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
