/** Opens a port. Its error says what is wrong with the address and what to do. */
import type { AddressInfo, Server } from 'node:net';

type Address = {
  host?: string;
  /** 0 takes a free one. */
  port?: number;
  /** The command with the flag that sets the port, such as `npm run ehr -- --port`. */
  portFlag?: string | undefined;
};

/**
 * Resolves to the port when the server listens: a free one of 127.0.0.1 unless given.
 * @throws Error naming the address, what is wrong with it and the remedy
 */
export function bind(
  server: Server,
  { host = '127.0.0.1', port = 0, portFlag }: Address = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) =>
      reject(new Error(explain(cause, host, port, portFlag), { cause }));
    server.once('error', fail);
    server.listen(port, host, () => {
      // A later error, such as a connection that cannot be accepted, must not vanish in the settled promise.
      server.off('error', fail);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function explain(cause: NodeJS.ErrnoException, host: string, port: number, portFlag?: string): string {
  const failed = `Failed to listen on ${host}:${port}`;
  const such = portFlag === undefined ? '.' : `: ${portFlag} ${port < 60_000 ? port + 4_000 : port - 4_000}`;
  switch (cause.code) {
    case 'EADDRINUSE':
      return `${failed}: another program uses this port. Please stop it, or choose another one${such}`;
    case 'EACCES':
      return `${failed}: this user may not open that port. Please choose one above 1023${such}`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${failed}: this machine has no such address. Please check the host setting.`;
    default:
      return `${failed}: ${cause.message}`;
  }
}
