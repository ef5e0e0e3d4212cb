/**
 * The open connections of a server, and the calls under way on them, so that it stops without losing one.
 * Node does not tell: to it a connection is busy that a browser opened in advance and never used, and idle
 * while its last reply is sent.
 */
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection with more calls under way is cut: no honest caller waits for so many answers at once. */
const MAX_PIPELINED_CALLS = 32;

export class OpenConnections {
  readonly #handler: RequestListener;
  /** The calls under way on each connection, in the order in which they came in. */
  readonly #calls = new Map<Socket, Set<ServerResponse>>();
  /** The connections that end with their next answer. */
  readonly #ending = new WeakSet<Socket>();
  /** Called whenever no call is under way. */
  #onQuiet: (() => void) | undefined;

  constructor(handler: RequestListener) {
    this.#handler = handler;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Take in a new connection; a TLS one after its handshake. */
  accept(socket: Socket): void {
    this.#calls.set(socket, new Set());
    socket.on('close', () => {
      this.#calls.delete(socket);
      this.#tellQuiet();
    });
  }

  readonly onRequest: RequestListener = (request, response) => {
    const { socket } = request;
    // The rest of what a connection sent that was cut.
    if (socket.destroyed) return;
    const calls = this.#calls.get(socket);
    if (calls?.size === MAX_PIPELINED_CALLS) {
      socket.destroy();
      return;
    }
    calls?.add(response);
    if (this.#ending.has(socket)) this.#announceEnd(socket);
    response.on('close', () => {
      calls?.delete(response);
      this.#tellQuiet();
    });
    this.#handler(request, response);
  };

  /** End each connection with its last answer. */
  announceEnd(): void {
    for (const socket of this.#calls.keys()) {
      this.#ending.add(socket);
      this.#announceEnd(socket);
    }
  }

  /** Close the connections on which nothing has come in. */
  closeUnused(): void {
    for (const socket of this.#calls.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Call `onQuiet` whenever no call is under way: now, and each time the last one has ended. */
  whenQuiet(onQuiet: () => void): void {
    this.#onQuiet = onQuiet;
    this.#tellQuiet();
  }

  /** Only the last of several answers on a connection says that it is the last. */
  #announceEnd(socket: Socket): void {
    const calls = [...(this.#calls.get(socket) ?? [])];
    for (const call of calls) call.shouldKeepAlive = call !== calls.at(-1);
  }

  #tellQuiet(): void {
    if (!this.#onQuiet) return;
    for (const calls of this.#calls.values()) if (calls.size > 0) return;
    this.#onQuiet();
  }
}
