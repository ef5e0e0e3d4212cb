/** The HTTPS part of a listener: client certificates, failed handshakes, and renewal without a restart. */
import type { RequestListener, ServerOptions } from 'node:http';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '#protocol/time/clock.ts';
import { discardBody } from '../http/bodies/read-body.ts';
import { sendHttpError } from '../http/http-error.ts';
import type { Log } from '../process/log.ts';
import { keepTls, type NamedFile, type Pair, type TlsMaterial } from './tls-files.ts';

export type TlsOptions = Pair & {
  /**
   * Authorities of client certificates. If given, a client without such a certificate fails the handshake.
   */
  clientCa?: NamedFile | undefined;
  /** Allowed common names or DNS names of client certificates. Absent: every client of the authority. */
  clientNames?: readonly string[] | undefined;
  log: Log;
  /** The longest that a handshake may take. */
  handshakeTimeoutMs?: number;
};

export type TlsServer = {
  server: Server;
  /** Break off the handshakes that are under way. No call has come in over them. */
  breakOff(): void;
  /** Stop watching the files. */
  stopWatching(): void;
};

const HANDSHAKE_TIMEOUT_MS = 10_000;
const FAILURE_LOG_INTERVAL_MS = 60_000;

/**
 * Create an HTTPS server: TLS 1.2 or 1.3, with node's own ciphers. `onClientsChanged` is called when the
 * authorities of client certificates have changed.
 * @throws SettingsError when the files cannot be used
 */
export function createTlsServer(
  handler: RequestListener,
  options: ServerOptions & { tls: TlsOptions; clock: Clock; onClientsChanged: () => void },
): TlsServer {
  const { tls, clock, onClientsChanged, ...http } = options;
  const { log } = tls;
  // Not imported: a bundled program would load the module at every start, and most listeners use plain HTTP.
  const { createServer } = process.getBuiltinModule('node:https');
  const kept = keepTls({ pair: tls, ca: tls.clientCa }, clock, log, (now, former) => {
    server.setSecureContext(contextOf(now));
    if (now.pem.ca !== former.pem.ca) onClientsChanged();
  });
  const server = createServer(
    {
      ...http,
      ...contextOf(kept.material()),
      requestCert: tls.clientCa !== undefined,
      rejectUnauthorized: true,
      handshakeTimeout: tls.handshakeTimeoutMs ?? HANDSHAKE_TIMEOUT_MS,
    },
    tls.clientNames ? onlyFor(tls.clientNames, log, handler) : handler,
  );
  const stopTelling = tellFailures(server, clock, log);
  return {
    server,
    breakOff: trackHandshakes(server),
    stopWatching() {
      kept.stop();
      stopTelling();
    },
  };
}

function contextOf({ pem }: TlsMaterial) {
  // setSecureContext does not keep the previous minVersion, so it is set at every renewal.
  return { ...pem, minVersion: 'TLSv1.2' } as const;
}

/**
 * Track the handshakes under way by the addresses of both ends, because node does not tell on which
 * connection a handshake was completed.
 * @returns breaks them off
 */
function trackHandshakes(server: Server): () => void {
  const underWay = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const ends = endsOf(socket);
    underWay.set(ends, socket);
    socket.on('close', () => {
      if (underWay.get(ends) === socket) underWay.delete(ends);
    });
  });
  server.on('secureConnection', (socket) => underWay.delete(endsOf(socket)));
  return () => {
    for (const socket of underWay.values()) socket.destroy();
  };
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}

/**
 * Log each failed handshake at the level `debug`, and their counts at most once a minute at the level `info`.
 */
function tellFailures(server: Server, clock: Clock, log: Log): () => void {
  let counts: Record<string, number> = {};
  let cancel: (() => void) | undefined;
  const tell = () => {
    cancel = undefined;
    log.info({ counts }, 'TLS handshakes failed in the last minute');
    counts = {};
  };
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    // The problem with the client's certificate, or else the code of OpenSSL or of the system.
    const code = String(socket.authorizationError ?? error.code ?? 'unknown');
    log.debug({ errorCode: code }, 'TLS handshake failed');
    counts[code] = (counts[code] ?? 0) + 1;
    cancel ??= clock.after(FAILURE_LOG_INTERVAL_MS, tell);
  });
  return () => cancel?.();
}

/** Serve the named clients and refuse the others with a reason. */
function onlyFor(names: readonly string[], log: Log, handler: RequestListener): RequestListener {
  const known = new WeakMap<Socket, boolean>();
  return (request, response) => {
    const { socket } = request;
    let isNamed = known.get(socket);
    if (isNamed === undefined) {
      isNamed = hasName(socket as TLSSocket, names);
      known.set(socket, isNamed);
      if (!isNamed)
        log.warn('a client certificate of the right authority carries none of the names that may call');
    }
    if (isNamed) {
      handler(request, response);
      return;
    }
    response.shouldKeepAlive = false;
    discardBody(request);
    sendHttpError(response, {
      status: 403,
      reason: 'client_not_named',
      message: 'The client certificate carries none of the names that may call here.',
    });
  };
}

/** A wildcard in a certificate matches no name. */
function hasName(socket: TLSSocket, names: readonly string[]): boolean {
  const certificate = socket.getPeerX509Certificate();
  return names.some(
    (name) => certificate?.checkHost(name, { subject: 'always', wildcards: false }) !== undefined,
  );
}
