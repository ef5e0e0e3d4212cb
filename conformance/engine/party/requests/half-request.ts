/** Sends the beginning of a request, and no more: a server must not wait for it while others call. */
import { net, tls } from '../../node-modules.ts';

/** Limits the wait for a handshake. */
const MAX_CONNECT_MS = 3_000;

/** Opens a connection and sends half of the head of a request. It never rejects: the next call is judged. */
export async function halfRequest(url: string): Promise<{ close(): void }> {
  const { protocol, hostname, port, pathname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isTls = protocol === 'https:';
  const to = { host, port: Number(port) || (isTls ? 443 : 80) };
  const socket = isTls ? tls?.connect(to) : net?.connect(to);
  await new Promise<void>((resolve) => {
    if (!socket) return resolve();
    socket.on('error', () => resolve()).setTimeout(MAX_CONNECT_MS, () => resolve());
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n`, () => resolve());
    });
  });
  return { close: () => void socket?.destroy() };
}
