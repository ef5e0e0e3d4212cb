/**
 * Starts the recording proxy: a reverse proxy between two parties that records every message between them and
 * injects faults.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { bindServer, TIMELY } from './bind.ts';
import type { Armed } from './faults.ts';
import type { RequestChange } from './request-change.ts';
import { type HandlerOptions, RequestHandler } from './request-handler.ts';
import { type ServerTls, TlsSide } from './tls-side.ts';

/** A proxy that runs. A step is named by the `seq` of its journal entry. */
export type RecordingProxy = {
  /** The address of the proxy. The calling party uses it in place of the address of the server. */
  readonly url: string;
  /** Injects a fault into the next matching calls. Returns a function that removes the fault. */
  arm(armed: Armed): () => void;
  /** Sends the requests of these steps at one moment: it holds back the last byte of each until all came. */
  sendTogether(steps: readonly number[]): void;
  changeRequest(step: number, change: RequestChange): void;
  /** True: closes the connection of every request from now on, as if the server were gone. */
  cut(isCut: boolean): void;
  retarget(url: string): void;
  /** The certificates that the proxy can show; absent where it speaks plain HTTP. */
  readonly certificates?: Pick<TlsSide, 'wrong' | 'show' | 'trouble'> | undefined;
  stop(): Promise<void>;
};

export type ProxyOptions = Pick<
  HandlerOptions,
  'link' | 'target' | 'recorder' | 'clock' | 'asJson' | 'bodyLimit'
> & {
  host?: string;
  /** 0, unless given: a free one. */
  port?: number;
  /** The key and certificate of the proxy; plain HTTP unless given. */
  tls?: ServerTls | undefined;
};

export async function startProxy({
  host = '127.0.0.1',
  port = 0,
  tls,
  ...options
}: ProxyOptions): Promise<RecordingProxy> {
  const handler = new RequestHandler({
    ...options,
    host,
    // A reset comes only with a request, and by then `certificates` is set.
    reset: (socket) => (certificates ? certificates.reset(socket) : socket.resetAndDestroy()),
  });
  const onRequest = (incoming: IncomingMessage, response: ServerResponse) =>
    void handler.handle(incoming, response);
  const certificates = tls && new TlsSide(tls, onRequest);
  const server = certificates?.server ?? createServer(TIMELY, onRequest);
  const bound = await bindServer(server, host, port, tls ? 'https' : 'http');
  return {
    url: bound.url,
    arm: (armed) => handler.faults.arm(armed),
    sendTogether: (steps) => handler.sendTogether(steps),
    changeRequest: (step, change) => handler.changeRequest(step, change),
    cut: (isCut) => handler.cut(isCut),
    retarget: (url) => handler.forwarder.retarget(url),
    certificates,
    async stop() {
      handler.close();
      await bound.stop();
    },
  };
}
