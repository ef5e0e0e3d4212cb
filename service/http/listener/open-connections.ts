/**
 * The open connections of a server, and the calls under way on them, so that it stops without losing one.
 * Node does not tell: to it a connection is busy that a browser opened in advance and never used, and idle
 * while its last reply is sent.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '#protocol/time/clock.ts';

/** A connection with more calls under way is cut: no honest caller waits for so many answers at once. */
const MAX_PIPELINED_CALLS = 32;

/**
 * A connection is cut when nothing of a request that has begun arrives for this long, or up to twice as long:
 * its caller is gone, or takes room on purpose.
 */
const STALL_MS = 10_000;
const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

type OpenConnection = {
  /** The calls under way, in the order in which they came in. */
  calls: Set<ServerResponse>;
  /** The newest request, unless it has come in and is answered. */
  newest?: IncomingMessage | undefined;
  /** How much had come in at the last look at an unfinished request. */
  bytesRead?: number | undefined;
};

export class OpenConnections {
  readonly #handler: RequestListener;
  readonly #clock: Clock;
  readonly #connections = new Map<Socket, OpenConnection>();
  /** The connections that end with their next answer. */
  readonly #ending = new WeakSet<Socket>();
  /** Called whenever no call is under way. */
  #onQuiet: (() => void) | undefined;
  /** Cancels the next look at requests that have not come in. */
  #cancelLook: (() => void) | undefined;

  constructor(handler: RequestListener, clock: Clock) {
    this.#handler = handler;
    this.#clock = clock;
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Take in a new connection; a TLS one after its handshake. */
  accept(socket: Socket): void {
    this.#connections.set(socket, { calls: new Set() });
    socket.on('close', () => {
      this.#connections.delete(socket);
      if (this.#connections.size === 0) this.#endLook();
      this.#tellQuiet();
    });
  }

  readonly onRequest: RequestListener = (request, response) => {
    const { socket } = request;
    const connection = this.#connections.get(socket);
    // The rest of what a connection sent that was cut.
    if (!connection || socket.destroyed) return;
    const { calls } = connection;
    if (calls.size === MAX_PIPELINED_CALLS) {
      socket.destroy();
      return;
    }
    calls.add(response);
    connection.newest = request;
    connection.bytesRead = undefined;
    this.#cancelLook ??= this.#clock.after(STALL_MS, this.#look);
    if (this.#ending.has(socket)) this.#announceEnd(socket);
    response.on('close', () => {
      calls.delete(response);
      if (calls.size === 0 && connection.newest?.complete) connection.newest = undefined;
      this.#tellQuiet();
    });
    this.#handler(request, response);
  };

  /** End each connection with its last answer. */
  announceEnd(): void {
    for (const socket of this.#connections.keys()) {
      this.#ending.add(socket);
      this.#announceEnd(socket);
    }
  }

  /** Close the connections on which nothing has come in. */
  closeUnused(): void {
    for (const socket of this.#connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Call `onQuiet` whenever no call is under way: now, and each time the last one has ended. */
  whenQuiet(onQuiet: () => void): void {
    this.#onQuiet = onQuiet;
    this.#tellQuiet();
  }

  /** Cut the connections whose request stands still. Look again while there are unfinished ones. */
  readonly #look = (): void => {
    this.#cancelLook = undefined;
    for (const [socket, connection] of this.#connections) {
      if (!connection.newest || connection.newest.complete) continue;
      if (connection.bytesRead === socket.bytesRead) {
        if ([...connection.calls].at(-1)?.headersSent === false) socket.write(TIMED_OUT);
        socket.destroy();
        continue;
      }
      connection.bytesRead = socket.bytesRead;
      this.#cancelLook ??= this.#clock.after(STALL_MS, this.#look);
    }
  };

  #endLook(): void {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
  }

  /** Only the last of several answers on a connection says that it is the last. */
  #announceEnd(socket: Socket): void {
    const calls = [...(this.#connections.get(socket)?.calls ?? [])];
    for (const call of calls) call.shouldKeepAlive = call !== calls.at(-1);
  }

  #tellQuiet(): void {
    if (!this.#onQuiet) return;
    for (const { calls } of this.#connections.values()) if (calls.size > 0) return;
    this.#onQuiet();
  }
}
