/** Reading a request body within its limit. */
import type { IncomingMessage } from 'node:http';
import { systemClock } from '#protocol/clock.ts';

/** What may still arrive of a refused body before the connection is cut. */
const MAX_DRAINED_BYTES = 8 * 1024 * 1024;
/** A refused body of so many bytes is let in at once. */
const UNPACED_BYTES = 64 * 1024;

/**
 * Reads the whole body and hands over its bytes, or `too_large` as soon as more than `limit` bytes are announced or
 * sent; what is left of it is let in and thrown away. A caller who goes away in the middle is handed nothing: nobody is
 * there to answer.
 */
export function readBody(request: IncomingMessage, limit: number, onBody: (body: Buffer | 'too_large') => void): void {
  const refuse = () => {
    discardBody(request);
    onBody('too_large');
  };
  if (announcedLength(request) > limit) {
    refuse();
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) {
      chunks.push(chunk);
      return;
    }
    request.off('data', take).off('end', finish);
    refuse();
  };
  const finish = () => onBody(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
  request.on('data', take).on('end', finish);
}

/**
 * Lets a body in that nobody wants and throws it away, so that a caller who is still sending comes to read the answer;
 * one who goes on beyond any reason is cut off.
 */
export function discardBody(request: IncomingMessage): void {
  let size = 0;
  if (announcedLength(request) > MAX_DRAINED_BYTES) cutOff.add(request);
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_DRAINED_BYTES) {
      request.destroy();
      return;
    }
    // What came along with the head is there already.
    if (size <= UNPACED_BYTES) return;
    request.pause();
    paced.push(request);
    if (paced.length === 1) systemClock.after(CHUNK_INTERVAL_MS, resumeNext);
  });
}

const cutOff = new WeakSet<IncomingMessage>();

/**
 * Whether this body is thrown away and announced so long that its connection is cut. The answer has to say that it is
 * the last: a caller whose whole body is on its way already would send his next call after it, and never hear of it.
 */
export function willBeCutOff(request: IncomingMessage): boolean {
  return cutOff.has(request);
}

/** The length of the body as its header announces it; 0 where none does. */
export function announcedLength({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/**
 * Bodies that are thrown away: one chunk (64 KiB) of one of them in a millisecond, whoever sends how many, so that
 * wanted calls hardly wait for them.
 */
const paced: IncomingMessage[] = [];
const CHUNK_INTERVAL_MS = 1;

function resumeNext(): void {
  paced.shift()?.resume();
  if (paced.length > 0) systemClock.after(CHUNK_INTERVAL_MS, resumeNext);
}
