/** An HTTP server that starts with a clear error or an address, and stops without losing a call that is under way. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '#protocol/clock.ts';
import { admitInTurn } from './admission.ts';
import { isLoopbackAddress, onlyForHosts } from './allowed-hosts.ts';
import { bind } from './bind.ts';
import { closeQuietly } from './close-quietly.ts';
import { networkOf } from './limits/client-address.ts';
import { processDisgrace } from './limits/disgrace.ts';
import type { Log } from './log.ts';
import { outageLog } from './outage-log.ts';
import type { createTlsServer, TlsOptions } from './tls-server.ts';

export type Listening = {
  /** Such as `http://127.0.0.1:4100`, or with https, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** How many connections are open; of TLS, those whose handshake is done. */
  connections(): number;
  /** Takes no more connections, lets calls under way finish, closes the others, and resolves when all are closed. */
  stop(): Promise<void>;
};

export type ListenOptions = {
  host: string;
  port: number;
  /** The flag that sets the port, for the error when it is taken. */
  portFlag?: string;
  clock: Clock;
  /** Names under which a listener on a loopback address answers, beside those of this machine. */
  allowedHosts?: readonly string[] | undefined;
  /** Hears the HTTP status of each request that is refused before the handler sees it. */
  onHttpError?: ((status: number) => void) | undefined;
  /** How long calls under way may take to finish at a stop, in milliseconds. */
  graceMs?: number;
  /**
   * How long connections at rest stay open at a stop, in milliseconds, for calls that a proxy has sent on them already.
   * Absent: they are closed at once.
   */
  drainMs?: number | undefined;
  /** How many connections are held; then the one that is longest at rest makes room for a new one. Absent: any number. */
  maxConnections?: number | undefined;
  /** Whether callers are limited; then a network that connects in vain too often comes last, like one that asks too much. */
  isLimited?: boolean;
  /** Hears of connections that cannot be accepted; without it they end the process. */
  log?: Log | undefined;
  /** Files and clients of HTTPS; absent: plain HTTP. */
  tls?: TlsOptions | undefined;
};

const GRACE_MS = 4_000;

/**
 * Listens on `host` and `port` (0: a free one).
 * @throws Error naming the address, what is wrong with it and the remedy; SettingsError when the TLS files cannot be used
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

/** A server of plain HTTP starts without it. */
async function loadTlsServer(): Promise<typeof createTlsServer> {
  return (await import('./tls-server.ts')).createTlsServer;
}

type Connection = {
  /** The call that is under way on it. */
  current: ServerResponse | undefined;
  /** Came in without waiting for an answer; each is begun when the one before is answered. */
  waiting: [IncomingMessage, ServerResponse][];
  /** Whether requests have ever come in without waiting for an answer. */
  isInLine: boolean;
  /** Whether a request has come in on it. */
  isOfUse: boolean;
  /** How many of its bytes were taken in when it was last at rest. */
  restedAt: number;
  /** Whether it ends when it is next at rest. */
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
  /** Takes no more connections; each ends with its next answer. Returns what closes those at rest. */
  finish(closed: () => void): () => void;
  /** Lets go of what the server holds beside its port. */
  release(): void;
};

/**
 * A server that can close what is at rest and lets the rest come to an end. Which is which is kept here,
 * because node counts a connection as busy that was opened ahead and never used (browsers do that), and as idle one
 * whose last reply is still being sent.
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
  /** The one that is longest at rest comes first. */
  const connections = new Map<Socket, Connection>();
  const tooMany = outageLog(log, CROWDED);
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
        // Nobody waits for so many answers who means to read them.
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
      // It is under way from here on, whatever else comes in; but calls of other connections are begun first: a caller
      // who sends many at once has no more of the server than one who waits.
      [, connection.current] = next;
      if (line.push(() => begin(next, connection)) === 1) setImmediate(beginSome);
    }
    rest(socket, connection);
    // An answer may overtake the body that it refuses.
    if (!request.complete) request.once('end', () => rest(socket, connection));
  };
  /** Calls whose turn has come on their connections. */
  const line: (() => void)[] = [];
  const beginSome = () => {
    for (const start of line.splice(0, MAX_BEGUN_PER_TURN)) start();
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
  /** Whether connections at rest are kept for a while, though the server takes no new ones. */
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
      // What has come in is answered; the last answer says that it is the last.
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
      // Whoever has sent a whole request is answered; the rest of a slow one may never come.
      if (current?.req.complete) continue;
      connections.delete(socket);
      socket.destroy();
      return;
    }
  };
  server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (connections.size >= maxConnections) {
      tooMany.failed(new Error(`${connections.size} connections are open.`));
      makeRoom();
      if (connections.size >= maxConnections) {
        socket.destroy();
        return;
      }
    } else if (connections.size < maxConnections / 2) tooMany.answered();
    // Asked for now: a closed one has no address any more.
    const network = networkOf(socket.remoteAddress ?? '');
    const connection = newConnection();
    connections.set(socket, connection);
    socket.on('close', () => {
      connections.delete(socket);
      if (isLimited && !connection.isOfUse) processDisgrace.cameToNothing(network);
    });
  });
  // Before the handshake they are counted by node alone.
  if (secure && Number.isFinite(maxConnections)) server.maxConnections = 2 * maxConnections;
  const unaccepted = outageLog(log, { away: UNACCEPTED, back: '' });
  if (log) server.on('listening', () => server.on('error', unaccepted.failed));
  // Node calls this one too when it closes a server.
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
  // Of the two above; node's own is half a minute.
  connectionsCheckingInterval: 5_000,
};
/** So many calls that came in behind others are begun in a turn of the event loop, whoever sent them. */
const MAX_BEGUN_PER_TURN = 4;
/** Calls of one connection that wait for those before them. */
const MAX_PIPELINED_CALLS = 256;
/** A connection on which nothing moves, neither in nor out, for so long: a reply that nobody reads, in the end. */
const SOCKET_TIMEOUT_MS = 120_000;

const CROWDED = {
  away: 'too many connections: those longest at rest are closed. Please raise --max-connections and the limit on open files (ulimit -n) if these are callers of yours',
  back: 'connections are few again',
};
const UNACCEPTED = 'connections could not be accepted. Please raise the limit on open files (ulimit -n)';
