/** Forwards TCP connections to a server and keeps every byte, so that tests know what a party received. */
import { connect, createServer, type Socket } from 'node:net';
import { bind } from '#service/http/listener/bind.ts';
import { signOfLife } from '../runner/signs-of-life.ts';
import type { LinkWatch } from './recorded-flow.ts';

export type RecordingProxy = {
  /** The address to connect to instead of the server's own. */
  readonly url: string;
  /** Every byte sent to the server so far, in order of arrival. */
  received(): Buffer;
  answered(): Buffer;
  retarget(url: string): void;
  /** While it is cut, connections are accepted and closed at once, as if the server were gone. */
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
export async function startRecordingProxy(options: RecordingProxyOptions = {}): Promise<RecordingProxy> {
  const { keeps = true, watch } = options;
  let destination: URL | undefined;
  let isCut = false;
  const received: Buffer[] = [];
  const answered: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (isCut || !destination) return void client.destroy();
    const upstream = connect(Number(destination.port), destination.hostname);
    const watched = watch?.onConnection();
    client.on('close', () => watched?.onClosed());
    forward(client, upstream, sockets, (chunk) => {
      if (keeps) received.push(chunk);
      watched?.onSent(chunk);
    });
    forward(upstream, client, sockets, (chunk) => {
      if (keeps) answered.push(chunk);
      watched?.onAnswered(chunk);
    });
  });
  const port = await bind(server);
  return {
    url: `http://127.0.0.1:${port}`,
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

/** Forwards what `from` sends, and closes `to` when it closes or breaks. Until then it is in `open`. */
function forward(from: Socket, to: Socket, open: Set<Socket>, onData: (chunk: Buffer) => void): void {
  open.add(from);
  from.on('data', (chunk: Buffer) => {
    signOfLife();
    onData(chunk);
    to.write(chunk);
  });
  from.on('end', () => to.end());
  from.on('close', () => {
    open.delete(from);
    to.destroy();
  });
  from.on('error', () => to.destroy());
}
