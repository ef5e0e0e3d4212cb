/** An HTTP server that starts with an address or a clear error, and stops without losing a call under way. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '#protocol/clock.ts';
import { admitInTurn } from './admission.ts';
import { isLoopbackAddress, onlyForHosts } from './allowed-hosts.ts';
import { bind } from './bind.ts';
import { closeQuietly } from './close-quietly.ts';
import { networkOf } from './limits/client-address.ts';
import { throttledNetworks } from './limits/throttled-networks.ts';
import type { Log } from './log.ts';
import { outageLog } from './outage-log.ts';
import type { createTlsServer, TlsOptions } from './tls-server.ts';

export type Listening = {
  /** The base URL without a trailing slash, such as `http://127.0.0.1:4100`. */
  readonly url: string;
  readonly port: number;
  /** How many connections are open. With TLS, those whose handshake is complete. */
  connections(): number;
  /** Accept no connections, let calls finish, close idle connections. Resolves when all are closed. */
  stop(): Promise<void>;
};

export type ListenOptions = {
  host: string;
  port: number;
  /** The flag that sets the port, for the error when the port is taken. */
  portFlag?: string;
  clock: Clock;
  /** The host names that a listener on a loopback address answers to, besides those of this machine. */
  allowedHosts?: readonly string[] | undefined;
  /** Called with the HTTP status of each request that is refused before the handler sees it. */
  onHttpError?: ((status: number) => void) | undefined;
  /** How long calls under way may take to finish at a stop. */
  graceMs?: number;
  /**
   * How long idle connections stay open at a stop, for calls that a proxy has already sent on them. Absent:
   * they are closed at once.
   */
  drainMs?: number | undefined;
  /** The most connections. Beyond it, a new one replaces the one idle longest. Absent: no limit. */
  maxConnections?: number | undefined;
  /**
   * Whether callers are rate limited. If so, a network with too many unused connections is throttled as well.
   */
  isLimited?: boolean;
  /** Receives the connections that cannot be accepted. Without it, they end the process. */
  log?: Log | undefined;
  /** Files and clients of HTTPS. Absent: plain HTTP. */
  tls?: TlsOptions | undefined;
};

/** How long calls under way may take to finish at a stop, unless the options say otherwise. */
const GRACE_MS = 4_000;

/**
 * Listen on `host` and `port` (0: a free port).
 * @throws Error naming the address, what is wrong with it and the remedy; SettingsError when the TLS files
 *   cannot be used
 */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<Listening> {
  const { host, clock, tls, allowedHosts = [], onHttpError } = options;
  let isLoopback = true;
  const checked = onlyForHosts({ isLoopback: () => isLoopback, allowedHosts, onHttpError }, handler);
  const secured = tls && { create: await loadTlsServer(), options: { tls, clock } };
  const { server, connections, finish, release } = createStoppable(checked, secured, options);
  try {
    await bind(server, options);
  } catch (error) {
    release();
    throw error;
  }
  const { port, address } = server.address() as AddressInfo;
  isLoopback = isLoopbackAddress(address);
  const name = host.includes(':') ? `[${host}]` : host;
  let stopped: Promise<void> | undefined;
  return {
    url: `${tls ? 'https' : 'http'}://${name}:${port}`,
    port,
    connections,
    stop() {
      stopped ??= new Promise((resolve) => {
        const { graceMs = GRACE_MS, drainMs } = options;
        const timers = [clock.after(graceMs, () => server.closeAllConnections())];
        const closeAtRest = finish(() => {
          for (const cancel of timers) cancel();
          resolve();
        });
        if (drainMs === undefined) closeAtRest();
        else timers.push(clock.after(drainMs, closeAtRest));
      });
      return stopped;
    },
  };
}

/** A plain HTTP server starts without loading this module. */
async function loadTlsServer(): Promise<typeof createTlsServer> {
  return (await import('./tls-server.ts')).createTlsServer;
}

type Connection = {
  /** The response of the call under way. */
  current: ServerResponse | undefined;
  /** Pipelined calls. Each is begun when the one before it is answered. */
  waiting: [IncomingMessage, ServerResponse][];
  /** Whether the connection has ever carried pipelined calls. */
  isInLine: boolean;
  /** Whether it has carried a request. */
  isOfUse: boolean;
  /** How many bytes it had received when it was last idle. */
  restedAt: number;
  /** Whether it is closed as soon as it is idle. */
  isEnding: boolean;
};

const newConnection = (): Connection => ({
  current: undefined,
  waiting: [],
  isInLine: false,
  isOfUse: false,
  restedAt: 0,
  isEnding: false,
});

type Secured = { create: typeof createTlsServer; options: { tls: TlsOptions; clock: Clock } };

type Stoppable = {
  server: Server;
  connections(): number;
  /**
   * Accept no more connections and end each with its next answer. Returns a function that closes idle ones.
   */
  finish(closed: () => void): () => void;
  /** Release what the server holds besides its port. */
  release(): void;
};

/**
 * Create a server that can close idle connections and let the others finish. It tracks which are idle itself:
 * node counts a connection as busy that a browser opened in advance and never used, and as idle one whose
 * last reply is still being sent.
 */
function createStoppable(
  handler: RequestListener,
  secured: Secured | undefined,
  {
    maxConnections = Number.POSITIVE_INFINITY,
    isLimited = false,
    log,
  }: Pick<ListenOptions, 'maxConnections' | 'isLimited' | 'log'>,
): Stoppable {
  /** The connection that has been idle longest comes first. */
  const connections = new Map<Socket, Connection>();
  const crowded = outageLog(log, CROWDED);
  const listener: RequestListener = (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (connection) {
      if (connection.isEnding) response.shouldKeepAlive = false;
      if (connection.current) {
        if (!connection.isInLine) {
          connection.isInLine = true;
          closeQuietly(socket, () => connection.waiting.splice(0).map(([waiting]) => waiting));
        }
        connection.waiting.push([request, response]);
        // No honest caller waits for so many answers at once.
        if (connection.waiting.length > MAX_PIPELINED_CALLS) socket.destroy();
        return;
      }
      connection.current = response;
      connection.isOfUse = true;
      response.on('close', () => answered(request, connection));
    }
    handler(request, response);
  };
  const answered = (request: IncomingMessage, connection: Connection) => {
    const { socket } = request;
    connection.current = undefined;
    if (connections.delete(socket)) connections.set(socket, connection);
    const next = connection.waiting.shift();
    if (next && !socket.destroyed) {
      // The call counts as under way now, but calls of other connections are begun first: a caller that
      // pipelines many calls gets no more of the server than one that waits.
      [, connection.current] = next;
      if (line.push(() => begin(next, connection)) === 1) setImmediate(beginSome);
    }
    rest(socket, connection);
    // The answer to a refused request may be sent before its body has arrived.
    if (!request.complete) request.once('end', () => rest(socket, connection));
  };
  /** Pipelined calls that are next on their connections. */
  const line: (() => void)[] = [];
  const beginSome = () => {
    for (const start of line.splice(0, MAX_BEGUN_PER_TICK)) start();
    if (line.length > 0) setImmediate(beginSome);
  };
  const begin = ([request, response]: [IncomingMessage, ServerResponse], connection: Connection) => {
    response.on('close', () => answered(request, connection));
    handler(request, response);
  };
  const rest = (socket: Socket, connection: Connection) => {
    connection.restedAt = socket.bytesRead;
    if (connection.isEnding) closeAtRest();
  };
  /** Whether idle connections are kept for a while, although the server accepts no new ones. */
  let isDraining = false;
  const closeAtRest = () => {
    if (isDraining) return;
    for (const [socket, { current, restedAt, isEnding }] of connections) {
      if (isEnding && !current && socket.bytesRead === restedAt) socket.destroy();
    }
  };
  const endConnections = () => {
    for (const connection of connections.values()) {
      connection.isEnding = true;
      // Calls that have come in are answered. The last answer says that it is the last.
      const last = connection.waiting.at(-1)?.[1] ?? connection.current;
      if (last) last.shouldKeepAlive = false;
    }
    closeAtRest();
  };
  const secure = secured?.create(listener, { ...TIMEOUTS, ...secured.options, onClientsChanged: endConnections });
  const server: Server = secure ? secure.server : createServer(TIMEOUTS, listener);
  server.timeout = SOCKET_TIMEOUT_MS;
  admitInTurn(server);
  const makeRoom = () => {
    for (const [socket, { current }] of connections) {
      // A caller that has sent a whole request is answered. The rest of a slow request may never come.
      if (current?.req.complete) continue;
      connections.delete(socket);
      socket.destroy();
      return;
    }
  };
  server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (connections.size >= maxConnections) {
      crowded.failed(new Error(`${connections.size} connections are open.`));
      makeRoom();
      if (connections.size >= maxConnections) {
        socket.destroy();
        return;
      }
    } else if (connections.size < maxConnections / 2) crowded.answered();
    // Read now: a closed socket has no address any more.
    const network = networkOf(socket.remoteAddress ?? '');
    const connection = newConnection();
    connections.set(socket, connection);
    socket.on('close', () => {
      connections.delete(socket);
      if (isLimited && !connection.isOfUse) throttledNetworks.addUnusedConnection(network);
    });
  });
  // Node alone counts connections before their handshake.
  if (secure && Number.isFinite(maxConnections)) server.maxConnections = 2 * maxConnections;
  const unaccepted = outageLog(log, { away: UNACCEPTED, back: '' });
  if (log) server.on('listening', () => server.on('error', unaccepted.failed));
  // Node calls this function too when it closes a server.
  server.closeIdleConnections = closeAtRest;
  const finish = (closed: () => void) => {
    secure?.stopWatching();
    secure?.breakOff();
    isDraining = true;
    endConnections();
    server.close(closed);
    return () => {
      isDraining = false;
      closeAtRest();
    };
  };
  return { server, connections: () => connections.size, finish, release: () => secure?.stopWatching() };
}

const TIMEOUTS = {
  keepAliveTimeout: 65_000,
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  // How often the two timeouts above are checked. Node's default is half a minute.
  connectionsCheckingInterval: 5_000,
};
/** The most pipelined calls begun in one tick of the event loop, over all connections. */
const MAX_BEGUN_PER_TICK = 4;
/** A connection with more pipelined calls than this is cut. */
const MAX_PIPELINED_CALLS = 256;
/** A connection without traffic in either direction for this long is closed: nobody reads its reply. */
const SOCKET_TIMEOUT_MS = 120_000;

const CROWDED = {
  away: 'too many connections: those longest at rest are closed. Please raise --max-connections and the limit on open files (ulimit -n) if these are callers of yours',
  back: 'connections are few again',
};
const UNACCEPTED = 'connections could not be accepted. Please raise the limit on open files (ulimit -n)';
