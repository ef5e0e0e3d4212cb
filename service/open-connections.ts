/**
 * The open connections of a server: which are idle, and which calls wait on them. Node does not tell: to it a
 * connection is busy that a browser opened in advance and never used, and idle while its last reply is sent.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeQuietly } from './close-quietly.ts';
import { networkOf } from './limits/client-address.ts';
import { throttledNetworks } from './limits/throttled-networks.ts';
import type { Log } from './log.ts';
import { type OutageLog, outageLog } from './outage-log.ts';

type Connection = {
  /** The response of the call under way. */
  current: ServerResponse | undefined;
  /** Pipelined calls. Each is begun when the one before it is answered. */
  waiting: [IncomingMessage, ServerResponse][];
  /** Whether the connection has ever carried pipelined calls. */
  isPipelined: boolean;
  /** Whether it has carried a request. */
  isOfUse: boolean;
  /** How many bytes it had received when it was last idle. */
  bytesWhenIdle: number;
  /** Whether it is closed as soon as it is idle. */
  isEnding: boolean;
};

export type OpenConnectionsOptions = {
  /** Once this many are open, a new one takes the place of the one that has been idle longest. */
  maxConnections: number;
  /** Whether too many unused connections throttle their network. */
  isLimited: boolean;
  log: Log | undefined;
};

/** The most pipelined calls begun in one tick of the event loop, over all connections. */
const MAX_BEGUN_PER_TICK = 4;
/** A connection with more pipelined calls than this is cut. */
const MAX_PIPELINED_CALLS = 256;

const CROWDED = {
  away: 'too many connections: those longest at rest are closed. Please raise --max-connections and the limit on open files (ulimit -n) if these are callers of yours',
  back: 'connections are few again',
};

export class OpenConnections {
  readonly #handler: RequestListener;
  readonly #maxConnections: number;
  readonly #isLimited: boolean;
  readonly #crowded: OutageLog;
  /** The connection that has been idle longest comes first. */
  readonly #connections = new Map<Socket, Connection>();
  /** Pipelined calls that are next on their connections. */
  readonly #next: (() => void)[] = [];
  /** Whether idle connections are kept for a while, although they are to end. */
  #isDraining = false;

  constructor(handler: RequestListener, { maxConnections, isLimited, log }: OpenConnectionsOptions) {
    this.#handler = handler;
    this.#maxConnections = maxConnections;
    this.#isLimited = isLimited;
    this.#crowded = outageLog(log, CROWDED);
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Take in a new connection; a TLS one after its handshake. */
  accept(socket: Socket): void {
    if (this.size >= this.#maxConnections) {
      this.#crowded.failed(new Error(`${this.size} connections are open.`));
      this.#makeRoom();
      if (this.size >= this.#maxConnections) {
        socket.destroy();
        return;
      }
    } else if (this.size < this.#maxConnections / 2) this.#crowded.answered();
    // Read now: a closed socket has no address any more.
    const network = networkOf(socket.remoteAddress ?? '');
    const connection: Connection = {
      current: undefined,
      waiting: [],
      isPipelined: false,
      isOfUse: false,
      bytesWhenIdle: 0,
      isEnding: false,
    };
    this.#connections.set(socket, connection);
    socket.on('close', () => {
      this.#connections.delete(socket);
      if (this.#isLimited && !connection.isOfUse) throttledNetworks.addUnusedConnection(network);
    });
  }

  /** Hand a request to the handler once the calls before it on its connection are answered. */
  readonly onRequest: RequestListener = (request, response) => {
    const connection = this.#connections.get(request.socket);
    if (connection?.isEnding) response.shouldKeepAlive = false;
    if (connection?.current) this.#wait(request, response, connection);
    else this.#begin(request, response, connection);
  };

  /** End each connection with its next answer, and close the idle ones. */
  end(): void {
    for (const connection of this.#connections.values()) {
      connection.isEnding = true;
      // Calls that have come in are answered. The last answer says that it is the last.
      const last = connection.waiting.at(-1)?.[1] ?? connection.current;
      if (last) last.shouldKeepAlive = false;
    }
    this.closeIdle();
  }

  /** End each connection, but keep the idle ones open until the function returned is called. */
  drain(): () => void {
    this.#isDraining = true;
    this.end();
    return () => {
      this.#isDraining = false;
      this.closeIdle();
    };
  }

  /** Close the idle connections that are to end. */
  closeIdle(): void {
    if (this.#isDraining) return;
    for (const [socket, { current, bytesWhenIdle, isEnding }] of this.#connections)
      if (isEnding && !current && socket.bytesRead === bytesWhenIdle) socket.destroy();
  }

  #begin(request: IncomingMessage, response: ServerResponse, connection: Connection | undefined): void {
    if (connection) {
      connection.current = response;
      connection.isOfUse = true;
      response.on('close', () => this.#onAnswered(request, connection));
    }
    this.#handler(request, response);
  }

  #wait(request: IncomingMessage, response: ServerResponse, connection: Connection): void {
    const { socket } = request;
    if (!connection.isPipelined) {
      connection.isPipelined = true;
      closeQuietly(socket, () => connection.waiting.splice(0).map(([waiting]) => waiting));
    }
    connection.waiting.push([request, response]);
    // No honest caller waits for so many answers at once.
    if (connection.waiting.length > MAX_PIPELINED_CALLS) socket.destroy();
  }

  #onAnswered(request: IncomingMessage, connection: Connection): void {
    const { socket } = request;
    connection.current = undefined;
    if (this.#connections.delete(socket)) this.#connections.set(socket, connection);
    const next = connection.waiting.shift();
    if (next && !socket.destroyed) {
      // The call counts as under way now, but calls of other connections are begun first: a caller that
      // pipelines many calls gets no more of the server than one that waits.
      [, connection.current] = next;
      if (this.#next.push(() => this.#begin(...next, connection)) === 1) setImmediate(this.#beginSome);
    }
    this.#rest(socket, connection);
    // The answer to a refused request may be sent before its body has arrived.
    if (!request.complete) request.once('end', () => this.#rest(socket, connection));
  }

  readonly #beginSome = (): void => {
    for (const begin of this.#next.splice(0, MAX_BEGUN_PER_TICK)) begin();
    if (this.#next.length > 0) setImmediate(this.#beginSome);
  };

  #rest(socket: Socket, connection: Connection): void {
    connection.bytesWhenIdle = socket.bytesRead;
    if (connection.isEnding) this.closeIdle();
  }

  #makeRoom(): void {
    for (const [socket, { current }] of this.#connections) {
      // A caller that has sent a whole request is answered. The rest of a slow request may never come.
      if (current?.req.complete) continue;
      this.#connections.delete(socket);
      socket.destroy();
      return;
    }
  }
}
