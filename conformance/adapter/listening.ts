/** Whether anything listens at an address, without asking it for anything. */
import { connect } from 'node:net';
import type { Clock } from '#protocol/clock.ts';

/** A machine that does not say no within this time may be busy, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;

/** False only when the connection is refused or cannot be made; a connection that is slow is no proof. */
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
