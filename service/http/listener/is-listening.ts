/** Finds out whether a server listens, without sending a request that the server would have to answer. */
import { connect } from 'node:net';
import type { Clock } from '#protocol/time/clock.ts';

/** How long (ms) a connection may take. Then the server counts as listening: it may only be busy. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Resolves to false only when the connection is refused or fails. */
export function isListening(address: string, clock: Clock): Promise<boolean> {
  const { protocol, hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
    });
    const settle = (listens: boolean) => {
      cancel();
      socket.destroy();
      resolve(listens);
    };
    const cancel = clock.after(CONNECT_TIMEOUT_MS, () => settle(true));
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}
