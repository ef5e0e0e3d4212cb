/** Opens the port of a peer and prints its address. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on a free port of this machine, and prints the address on standard output. */
export function listenAsPeer(handler: RequestListener): void {
  const server = createServer({ keepAliveTimeout: 65_000 }, handler);
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`Ready at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
}
