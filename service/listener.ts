/** An HTTP server that starts with a clear error or an address, and stops without losing a call that is under way. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '#protocol/clock.ts';

export type Listening = {
  /** Such as `http://127.0.0.1:4100`, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, lets calls under way finish, closes the others, and resolves when all are closed. */
  stop(): Promise<void>;
};

export type ListenOptions = {
  host: string;
  port: number;
  /** The flag that sets the port, for the error when it is taken. */
  portFlag?: string;
  clock: Clock;
  /** How long calls under way may take to finish at a stop, in milliseconds. */
  grace?: number;
};

const GRACE = 4_000;

/**
 * Listens on `host` and `port` (0: a free one).
 * @throws Error naming the address, what is wrong with it and the remedy
 */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<Listening> {
  const { server, finish } = createStoppable(handler);
  await bind(server, options);
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  let stopped: Promise<void> | undefined;
  return {
    url: `http://${host}:${port}`,
    port,
    stop() {
      stopped ??= new Promise((resolve) => {
        const cancel = options.clock.after(options.grace ?? GRACE, () => server.closeAllConnections());
        finish(() => {
          cancel();
          resolve();
        });
      });
      return stopped;
    },
  };
}

/** The calls under way on a connection, and how many of its bytes were taken in when it was last at rest. */
type Connection = { calls: Set<ServerResponse>; restedAt: number };

/**
 * A server whose `finish` closes at once what is at rest and lets the rest come to an end. Which is which is kept here,
 * because node counts a connection as busy that was opened ahead and never used (browsers do that), and as idle one
 * whose last reply is still being sent.
 */
function createStoppable(handler: RequestListener): { server: Server; finish: (closed: () => void) => void } {
  const connections = new Map<Socket, Connection>();
  let stopping = false;
  const server = createServer(
    { keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 60_000 },
    (request, response) => {
      if (stopping) response.shouldKeepAlive = false;
      const { socket } = request;
      const connection = connections.get(socket);
      connection?.calls.add(response);
      response.on('close', () => {
        connection?.calls.delete(response);
        if (connection) connection.restedAt = socket.bytesRead;
        if (stopping) server.closeIdleConnections();
      });
      handler(request, response);
    },
  );
  server.on('connection', (socket) => {
    connections.set(socket, { calls: new Set(), restedAt: 0 });
    socket.on('close', () => connections.delete(socket));
  });
  // Node calls this one too when it closes a server.
  server.closeIdleConnections = () => {
    for (const [socket, { calls, restedAt }] of connections) {
      if (calls.size === 0 && socket.bytesRead === restedAt) socket.destroy();
    }
  };
  const finish = (closed: () => void) => {
    stopping = true;
    for (const { calls } of connections.values()) {
      for (const response of calls) response.shouldKeepAlive = false;
    }
    server.close(closed);
  };
  return { server, finish };
}

function bind(server: Server, { host, port, portFlag }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) => reject(new Error(explain(cause, host, port, portFlag), { cause }));
    server.once('error', fail);
    server.listen(port, host, () => {
      // From here on an error is nobody's business but the process's: it must not vanish in a promise that is settled.
      server.off('error', fail);
      resolve();
    });
  });
}

function explain(cause: NodeJS.ErrnoException, host: string, port: number, portFlag = 'the port setting'): string {
  const failed = `Failed to listen on ${host}:${port}`;
  switch (cause.code) {
    case 'EADDRINUSE':
      return `${failed}: another program uses this port. Please stop it, or choose another port with ${portFlag}.`;
    case 'EACCES':
      return `${failed}: this user may not open that port. Please choose one above 1023 with ${portFlag}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${failed}: this machine has no such address. Please check the host setting.`;
    default:
      return `${failed}: ${cause.message}`;
  }
}
