/** One HTTP POST on a kept connection, with a deadline. */
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '#protocol/clock.ts';
import type { Bytes } from './input.ts';

export type Posted = { status: number; text: string };

/** A call that takes longer than this hangs, in milliseconds. */
const DEADLINE = 8_000;
/** Given up well before the server closes it, which would meet a call that is just being sent. In milliseconds. */
const MAX_IDLE = 30_000;
const agent = new Agent({ keepAlive: true, maxSockets: 4, timeout: MAX_IDLE });

const watched = new WeakSet<Socket>();

/**
 * Sends `body` as `application/json`.
 * @throws Error when there is no whole answer in time
 */
export function postBody(endpoint: URL, body: Bytes): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body, 'latin1');
    const headers = { 'Content-Type': 'application/json', 'Content-Length': bytes.length };
    const sent = request(endpoint, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        cancel();
        resolve({ status: response.statusCode as number, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    const fail = (error: Error) => {
      cancel();
      reject(error);
    };
    const cancel = systemClock.after(DEADLINE, () => sent.destroy(new Error(`No answer within ${DEADLINE} ms.`)));
    sent.on('socket', watch).on('error', fail).end(bytes);
  });
}

/** A connection that breaks after its answer came is nobody's error: the next call opens another. */
function watch(socket: Socket): void {
  if (watched.has(socket)) return;
  watched.add(socket);
  socket.on('error', () => socket.destroy());
}
