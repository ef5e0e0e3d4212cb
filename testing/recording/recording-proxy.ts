/** Forwards TCP connections to a server and keeps every byte, so that tests know what a party received. */
import { connect, createServer, type Socket } from 'node:net';
import { bind } from '#service/http/listener/ports.ts';
import { signOfLife } from '../runner/signs-of-life.ts';

export type RecordingProxy = {
  /** The address to connect to instead of the server's own. */
  readonly url: string;
  /** Every byte sent to the server so far, in order of arrival. */
  received(): Buffer;
  /** Every byte the server sent back. */
  answered(): Buffer;
  retarget(url: string): void;
  /** While it is cut, connections are accepted and closed at once, as if the server were gone. */
  cut(isCut: boolean): void;
  stop(): Promise<void>;
};

/** Starts a proxy on a free port of 127.0.0.1. Until it has a target, it closes every connection. */
export async function startRecordingProxy(): Promise<RecordingProxy> {
  let destination: URL | undefined;
  let isCut = false;
  const received: Buffer[] = [];
  const answered: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (isCut || !destination) return void client.destroy();
    const upstream = connect(Number(destination.port), destination.hostname);
    forward(client, upstream, sockets, received);
    forward(upstream, client, sockets, answered);
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
      isCut = cutNow;
      if (cutNow) for (const socket of sockets) socket.destroy();
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Forwards and keeps what `from` sends, and closes `to` with it. While `from` is open, `sockets` has it. */
function forward(from: Socket, to: Socket, sockets: Set<Socket>, kept: Buffer[]): void {
  sockets.add(from);
  from.on('data', (chunk: Buffer) => {
    signOfLife();
    kept.push(chunk);
    to.write(chunk);
  });
  from.on('end', () => to.end());
  from.on('close', () => {
    sockets.delete(from);
    to.destroy();
  });
  from.on('error', () => to.destroy());
}
