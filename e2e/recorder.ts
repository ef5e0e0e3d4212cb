/** A wire tap for tests: passes TCP connections on to a server and keeps every byte, so that what a party received is known to the last header. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { LinkWatch } from './recorded-flow.ts';

export type Recorder = {
  /** Where to connect instead of the server itself. */
  readonly url: string;
  /** Every byte that went towards the server so far, in order of arrival. */
  received(): Buffer;
  /** Every byte that came back from the server. */
  answered(): Buffer;
  /** Connects to another server from now on. */
  retarget(url: string): void;
  /** While cut, connections are accepted and closed at once, as if the server were gone. */
  cut(isCut: boolean): void;
  stop(): Promise<void>;
};

export type RecorderOptions = {
  /** Whether it keeps the bytes; without, it can stand in front of much traffic. */
  keeps?: boolean;
  /** Hears everything that crosses, as it crosses. */
  watch?: LinkWatch | undefined;
};

/** Starts a tap on a free port of 127.0.0.1; until it is given a target it closes every connection. */
export async function startRecorder({ keeps = true, watch }: RecorderOptions = {}): Promise<Recorder> {
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
    const watched = watch?.connection();
    client.on('close', () => watched?.closed());
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      // A broken connection is passed on by closing the other half.
      socket.on('error', () => other.destroy());
    }
    client.on('data', (chunk: Buffer) => {
      if (keeps) received.push(chunk);
      watched?.sent(chunk);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (keeps) answered.push(chunk);
      watched?.answered(chunk);
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
      if (cutNow !== isCut) watch?.cut(cutNow);
      isCut = cutNow;
      if (cutNow) for (const socket of sockets) socket.destroy();
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
