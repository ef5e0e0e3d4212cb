/** Sends one HTTP POST over a pooled connection, with a deadline. */
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '#protocol/time/clock.ts';
import type { Bytes } from './input.ts';

export type Posted = { status: number; text: string };

/** A call that takes longer than this (ms) counts as hung. */
const CALL_TIMEOUT_MS = 8_000;
/**
 * Idle connections are closed after this time (ms), well before the server closes them: it could do so while
 * a call is being sent.
 */
const MAX_IDLE_MS = 30_000;
const agent = new Agent({ keepAlive: true, maxSockets: 4, timeout: MAX_IDLE_MS });

const watched = new WeakSet<Socket>();

/**
 * Sends `body` as `application/json`.
 * @throws Error when no complete answer arrives in time
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
    const cancel = systemClock.after(CALL_TIMEOUT_MS, () =>
      sent.destroy(new Error(`No answer within ${CALL_TIMEOUT_MS} ms.`)),
    );
    sent.on('socket', watch).on('error', fail).end(bytes);
  });
}

/** Ignores errors of a connection whose answer has arrived: the next call opens another. */
function watch(socket: Socket): void {
  if (watched.has(socket)) return;
  watched.add(socket);
  socket.on('error', () => socket.destroy());
}
