/**
 * A recording proxy for tests: forwards TCP connections to a server and keeps every byte, so that tests know
 * exactly what a party received.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { LinkWatch } from './recorded-flow.ts';
import { signOfLife } from './signs-of-life.ts';

export type RecordingProxy = {
  /** The address to connect to instead of the server's own. */
  readonly url: string;
  /** Every byte sent to the server so far, in order of arrival. */
  received(): Buffer;
  /** Every byte that the server sent back. */
  answered(): Buffer;
  /** Forwards to another server from now on. */
  retarget(url: string): void;
  /**
   * Cuts the link or restores it. While it is cut, connections are accepted and closed at once, as if the
   * server were gone.
   */
  cut(isCut: boolean): void;
  stop(): Promise<void>;
};

export type RecordingProxyOptions = {
  /** Whether the bytes are kept. Without that, the proxy can forward much traffic. */
  keeps?: boolean;
  /** Called with everything that is forwarded. */
  watch?: LinkWatch | undefined;
};

/** Starts a proxy on a free port of 127.0.0.1. Until it has a target, it closes every connection. */
export async function startRecordingProxy({
  keeps = true,
  watch,
}: RecordingProxyOptions = {}): Promise<RecordingProxy> {
  let destination: URL | undefined;
  let isCut = false;
  const received: Buffer[] = [];
  const answered: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (isCut || !destination) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(destination.port), destination.hostname);
    const watched = watch?.onConnection();
    client.on('close', () => watched?.onClosed());
    join(client, upstream, sockets);
    client.on('data', (chunk: Buffer) => {
      signOfLife();
      if (keeps) received.push(chunk);
      watched?.onSent(chunk);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      signOfLife();
      if (keeps) answered.push(chunk);
      watched?.onAnswered(chunk);
      client.write(chunk);
    });
    client.on('end', () => upstream.end());
    upstream.on('end', () => client.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => Buffer.concat(received),
    answered: () => Buffer.concat(answered),
    retarget(url) {
      destination = new URL(url);
    },
    cut(cutNow) {
      if (cutNow !== isCut) watch?.onCut(cutNow);
      isCut = cutNow;
      if (cutNow) for (const socket of sockets) socket.destroy();
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Closes both halves of a connection when one of them closes or breaks. Until then they are in `open`. */
function join(client: Socket, upstream: Socket, open: Set<Socket>): void {
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    open.add(socket);
    socket.on('close', () => {
      open.delete(socket);
      other.destroy();
    });
    socket.on('error', () => other.destroy());
  }
}
