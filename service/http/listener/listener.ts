/** An HTTP server that starts with an address or a clear error, and stops without losing a call under way. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '#protocol/time/clock.ts';
import { type Log, outageLog } from '../../process/log.ts';
import type { createTlsServer, TlsOptions } from '../../tls/tls-server.ts';
import { isLoopbackAddress, onlyForHosts } from '../allowed-hosts.ts';
import { OpenConnections } from './open-connections.ts';
import { bind } from './ports.ts';

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
  /** The command with the flag that sets the port, for the error when the port is taken. */
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
  /** The most connections. Beyond it, new ones are closed at once. Default: 16,384. */
  maxConnections?: number | undefined;
  /** Told of connections that cannot be accepted. Without it, they end the process. */
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
        const closeIdle = finish(() => {
          for (const cancel of timers) cancel();
          resolve();
        });
        if (drainMs === undefined) closeIdle();
        else timers.push(clock.after(drainMs, closeIdle));
      });
      return stopped;
    },
  };
}

/** A plain HTTP server starts without loading this module. */
async function loadTlsServer(): Promise<typeof createTlsServer> {
  return (await import('../../tls/tls-server.ts')).createTlsServer;
}

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

/** Create a server that can close idle connections and let the others finish. */
function createStoppable(
  handler: RequestListener,
  secured: Secured | undefined,
  { clock, log }: ListenOptions,
): Stoppable {
  const connections = new OpenConnections(handler, clock);
  const { onRequest } = connections;
  const onClientsChanged = () => {
    connections.announceEnd();
    connections.closeUnused();
    closeIdle();
  };
  const secure = secured?.create(onRequest, { ...TIMEOUTS, ...secured.options, onClientsChanged });
  const server: Server = secure ? secure.server : createServer(TIMEOUTS, onRequest);
  server.timeout = SOCKET_TIMEOUT_MS;
  const closeIdle = server.closeIdleConnections.bind(server);
  // Node calls this when it closes a server. It would cut answers that are still being sent.
  server.closeIdleConnections = () => undefined;
  server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => connections.accept(socket));
  // Node would answer 417 without a body: an expectation that is not known may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  logUnaccepted(server, log);
  const finish = (closed: () => void) => {
    secure?.stopWatching();
    secure?.breakOff();
    connections.announceEnd();
    server.close(closed);
    return () => {
      connections.closeUnused();
      connections.whenQuiet(closeIdle);
    };
  };
  return { server, connections: () => connections.size, finish, release: () => secure?.stopWatching() };
}

/** Log connections that are closed or cannot be accepted: now and then, not each. */
function logUnaccepted(server: Server, log: Log | undefined): void {
  if (!log) return;
  const crowded = outageLog(log, { away: CROWDED, back: '' });
  const unaccepted = outageLog(log, { away: UNACCEPTED, back: '' });
  server.on('drop', () => crowded.failed(new Error(`${server.maxConnections} connections are open.`)));
  server.on('listening', () => server.on('error', unaccepted.failed));
}

const TIMEOUTS = {
  keepAliveTimeout: 65_000,
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  // How often the two timeouts above are checked. Node's default is half a minute.
  connectionsCheckingInterval: 5_000,
};
/** A connection without traffic in either direction for this long is closed: nobody reads its reply. */
const SOCKET_TIMEOUT_MS = 120_000;

const CROWDED =
  'too many connections: new ones are closed. Please raise --max-connections (at the EHR server) and the limit on open files (ulimit -n) if these are callers of yours';
const UNACCEPTED = 'connections could not be accepted. Please raise the limit on open files (ulimit -n)';
