/** Tests whether a port accepts connections, without sending a request. */
import { connect } from 'node:net';
import type { Clock } from '#protocol/time/clock.ts';

/** Waits this long (ms) for a connection: a slow machine may just be busy. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Returns false only when the connection is refused or fails; a slow connection proves nothing. */
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
