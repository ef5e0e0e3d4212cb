/**
 * New connections come in one in a turn, and by turns of their networks: a crowd from one of them does not
 * keep others waiting.
 */
import type { Server, Socket } from 'node:net';
import { type Clock, systemClock } from '#protocol/clock.ts';
import { networkOf } from './limits/client-address.ts';
import { type Disgrace, processDisgrace } from './limits/disgrace.ts';

/** Between two connections of networks in disgrace, whichever they are, in milliseconds. */
const PACE = 100;
/** So many connections of networks in disgrace wait at most; for one more the oldest of them is closed. */
const MOST_HELD = 1_000;

/**
 * Has `server` begin to read from a connection only when its turn has come: one in each turn of the event
 * loop, because the first bytes of each may bring a hundred requests, which are parsed in one go. Call it
 * before anybody else listens for connections: a later listener is called as they are accepted.
 */
export function admitInTurn(server: Server, clock: Clock = systemClock, disgrace: Disgrace = processDisgrace): void {
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  // Accepted and not read from; an option of `net.createServer` that `http.createServer` does not pass on.
  (server as { pauseOnConnect?: boolean }).pauseOnConnect = true;
  const admit = (socket: Socket) => {
    for (const listener of listeners) listener.call(server, socket);
    socket.resume();
  };
  const welcome = createQueue();
  const held = createQueue();

  const giveTurn = () => {
    for (let next = welcome.next(); next; next = welcome.next()) {
      const [network, socket] = next;
      if (disgrace.has(network)) {
        if (held.isEmpty()) clock.after(PACE, giveHeldTurn);
        held.add(network, socket);
        // While they wait, nobody hears that they were given up.
        if (held.size() > MOST_HELD) held.next()?.[1].destroy();
      } else {
        admit(socket);
        break;
      }
    }
    if (!welcome.isEmpty()) setImmediate(giveTurn);
  };
  const giveHeldTurn = () => {
    const next = held.next();
    if (next) admit(next[1]);
    if (!held.isEmpty()) clock.after(PACE, giveHeldTurn);
  };
  server.on('connection', (socket) => {
    if (welcome.isEmpty()) setImmediate(giveTurn);
    welcome.add(networkOf(socket.remoteAddress ?? ''), socket);
  });
}

type Queue = {
  add(network: string, socket: Socket): void;
  /** Takes out a connection that is still open, of the network whose turn it is. */
  next(): [network: string, socket: Socket] | undefined;
  isEmpty(): boolean;
  size(): number;
};

function createQueue(): Queue {
  /** The network whose turn is next comes first. */
  const waiting = new Map<string, Set<Socket>>();
  let size = 0;
  return {
    add(network, socket) {
      size++;
      const others = waiting.get(network);
      if (others) others.add(socket);
      else waiting.set(network, new Set([socket]));
    },
    next() {
      for (const [network, sockets] of waiting) {
        waiting.delete(network);
        for (const socket of sockets) {
          sockets.delete(socket);
          size--;
          if (socket.destroyed) continue;
          if (sockets.size > 0) waiting.set(network, sockets);
          return [network, socket];
        }
      }
      return undefined;
    },
    isEmpty: () => size === 0,
    size: () => size,
  };
}
