/** A recording reverse proxy between two parties. Records all that crosses, and injects faults. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '#protocol/time/clock.ts';
import type { Link } from '../journal/entry.ts';
import type { Recorder } from '../journal/recorder.ts';
import type { Armed } from './armed-faults.ts';
import { bindServer } from './bind.ts';
import type { RequestChange } from './request-change.ts';
import { RequestHandler } from './request-handler.ts';
import { type ServerTls, TlsSide } from './tls-side.ts';

export type RecordingProxy = {
  /** Base URL of the proxy, used instead of the server's. */
  readonly url: string;
  /** Injects a fault into the next matching calls; returns a function that removes it. */
  arm(armed: Armed): () => void;
  /** Holds the last byte of the requests of these steps until all are here, then sends them together. */
  gate(steps: readonly number[]): void;
  /** Changes the request of this step on its way. */
  change(step: number, change: RequestChange): void;
  /** Breaks the connection of every request from now on, as if the server were gone; or ends that. */
  cut(isCut: boolean): void;
  /** Changes the server that requests are passed to. */
  retarget(url: string): void;
  /** The certificates that it can show; absent where it speaks plain HTTP. */
  readonly certificates?: Pick<TlsSide, 'wrong' | 'show' | 'trouble'> | undefined;
  stop(): Promise<void>;
};

export type ProxyOptions = {
  link: Link;
  target: string;
  host?: string;
  port?: number;
  recorder: Recorder;
  clock: Clock;
  /** Its key and certificate; plain HTTP unless given. */
  tls?: ServerTls | undefined;
};

/** Starts a proxy; `port` 0 takes a free one. */
export async function startProxy({
  host = '127.0.0.1',
  port = 0,
  tls,
  ...options
}: ProxyOptions): Promise<RecordingProxy> {
  const handler = new RequestHandler({
    ...options,
    host,
    reset: (socket) => (certificates ? certificates.reset(socket) : socket.resetAndDestroy()),
  });
  const onRequest = (incoming: IncomingMessage, response: ServerResponse) =>
    void handler.handle(incoming, response);
  const certificates = tls && new TlsSide(tls, onRequest);
  const server = certificates?.server ?? createServer(onRequest);
  const bound = await bindServer(server, host, port, tls ? 'https' : 'http');
  return {
    url: bound.url,
    arm: (armed) => handler.faults.arm(armed),
    gate: (steps) => handler.addGate(steps),
    change: (step, change) => handler.addChange(step, change),
    cut: (isCut) => handler.cut(isCut),
    retarget: (url) => handler.forwarder.retarget(url),
    certificates,
    async stop() {
      handler.close();
      await bound.stop();
    },
  };
}
