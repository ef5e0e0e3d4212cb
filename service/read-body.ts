/** Reads a request body within its limit. */
import type { IncomingMessage } from 'node:http';
import { systemClock } from '#protocol/clock.ts';

/** The connection of a refused body is cut when more than this arrives. */
const MAX_DRAINED_BYTES = 8 * 1024 * 1024;
/** The first bytes of a refused body are received without pauses: they came together with the head. */
const UNPACED_BYTES = 64 * 1024;

/**
 * Read the whole body and pass its bytes to `onBody`, or `too_large` as soon as more than `limit` bytes are
 * announced or sent. The rest of a large body is received and discarded. If the caller disconnects, `onBody`
 * is not called: there is nobody to answer.
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
 * Receive the body of a refused request and discard it, so that a caller that is still sending gets to read
 * the answer. A caller that sends more than `MAX_DRAINED_BYTES` is cut off.
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
    if (size <= UNPACED_BYTES) return;
    request.pause();
    paced.push(request);
    if (paced.length === 1) systemClock.after(CHUNK_INTERVAL_MS, resumeNext);
  });
}

const cutOff = new WeakSet<IncomingMessage>();

/**
 * Whether this body is discarded and announced so long that its connection is cut. The answer must then say
 * that it is the last one. Otherwise a caller that has sent its whole body would send its next call, and
 * never get an answer.
 */
export function willBeCutOff(request: IncomingMessage): boolean {
  return cutOff.has(request);
}

/** The length that the header announces for the body; 0 if there is no such header. */
export function announcedLength({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/**
 * Bodies that are being discarded. One chunk (64 KiB) of one of them is read in each interval, however many
 * there are, so that other calls hardly wait for them.
 */
const paced: IncomingMessage[] = [];
const CHUNK_INTERVAL_MS = 1;

function resumeNext(): void {
  paced.shift()?.resume();
  if (paced.length > 0) systemClock.after(CHUNK_INTERVAL_MS, resumeNext);
}
