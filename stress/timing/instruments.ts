/** Two ways to send a call and see when its answer is there: over HTTP on one kept connection, and straight into the pipeline. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Pipeline } from '#protocol/pipeline.ts';

export type Instrument = {
  /** Readies a call, so that sending it is all that is timed; the function resolves to the reply once it is whole. */
  prepare(text: string): () => Promise<string>;
  close(): void;
};

/** The sharper one: nothing but the server's own work lies between call and reply. */
export function pipelineInstrument(pipeline: Pipeline): Instrument {
  return {
    prepare(text) {
      // A text of its own for each call, lying in memory where those of the other kind do.
      const fresh = Buffer.from(text).toString();
      return async () => (await pipeline(fresh, 'any')).body ?? '';
    },
    close: () => undefined,
  };
}

/** What somebody on the same machine sees, who has the connection to himself. */
export async function httpInstrument(endpoint: string): Promise<Instrument> {
  const { hostname, port, pathname } = new URL(endpoint);
  const socket = connect(Number(port), hostname).setNoDelay(true).setEncoding('latin1');
  await once(socket, 'connect');
  let received = '';
  let done: { resolve: (reply: string) => void; reject: (error: Error) => void } | undefined;
  socket.on('data', (chunk: string) => {
    received += chunk;
    const reply = wholeReply(received);
    if (reply === undefined) return;
    received = '';
    done?.resolve(reply);
  });
  const fail = (error = new Error('The server closed the connection.')) => done?.reject(error);
  socket.on('error', fail).on('end', () => fail());
  return {
    prepare(text) {
      const body = Buffer.from(text);
      const head = `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
      const request = Buffer.concat([Buffer.from(head), body]);
      return () =>
        new Promise((resolve, reject) => {
          done = { resolve, reject };
          socket.write(request);
        });
    },
    close: () => void socket.destroy(),
  };
}

/** The body of the reply, once all of it has come. */
function wholeReply(text: string): string | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  const body = text.slice(end + 4);
  return length !== undefined && body.length >= Number(length) ? body : undefined;
}
