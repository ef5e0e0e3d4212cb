/** Accept queue: takes the networks in turn, so a crowd from one of them does not keep others waiting. */
import type { Server, Socket } from 'node:net';
import { type Clock, systemClock } from '#protocol/clock.ts';
import { networkOf } from './limits/client-address.ts';
import { type ThrottledNetworks, throttledNetworks } from './limits/throttled-networks.ts';

/** Interval between two connections of throttled networks, in milliseconds. */
const INTERVAL_MS = 100;
/** Pending connections of throttled networks. For one more the oldest of them is closed. */
const MAX_PENDING = 1_000;

/**
 * Makes `server` read from one new connection a tick: the first bytes of each may hold a hundred requests,
 * which are parsed in one go. Call it before any other listener for connections is added.
 */
export function admitInTurn(
  server: Server,
  clock: Clock = systemClock,
  throttled: ThrottledNetworks = throttledNetworks,
): void {
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  // Accepted and not read from; an option of `net.createServer` that `http.createServer` does not pass on.
  (server as { pauseOnConnect?: boolean }).pauseOnConnect = true;
  const admit = (socket: Socket) => {
    for (const listener of listeners) listener.call(server, socket);
    socket.resume();
  };
  const pending = createQueue();
  const pendingThrottled = createQueue();

  const admitNext = () => {
    for (let next = pending.next(); next; next = pending.next()) {
      const [network, socket] = next;
      if (throttled.has(network)) {
        if (pendingThrottled.isEmpty()) clock.after(INTERVAL_MS, admitThrottled);
        pendingThrottled.add(network, socket);
        // A pending socket does not tell that its peer has left.
        if (pendingThrottled.size() > MAX_PENDING) pendingThrottled.next()?.[1].destroy();
      } else {
        admit(socket);
        break;
      }
    }
    if (!pending.isEmpty()) setImmediate(admitNext);
  };
  const admitThrottled = () => {
    const next = pendingThrottled.next();
    if (next) admit(next[1]);
    if (!pendingThrottled.isEmpty()) clock.after(INTERVAL_MS, admitThrottled);
  };
  server.on('connection', (socket) => {
    if (pending.isEmpty()) setImmediate(admitNext);
    pending.add(networkOf(socket.remoteAddress ?? ''), socket);
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
