/** Reads a request body within its limit. */
import type { IncomingMessage } from 'node:http';

/** The connection of a refused body is cut when more than this arrives. */
const MAX_DRAINED_BYTES = 8 * 1024 * 1024;

/**
 * Read the whole body. Resolves to `too_large` as soon as more than `limit` bytes are announced or sent; the
 * rest of such a body is received and discarded. If the caller disconnects, the promise stays pending: there
 * is nobody to answer.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | 'too_large'> {
  return new Promise((resolve) => {
    const refuse = () => {
      discardBody(request);
      resolve('too_large');
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
    const finish = () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    request.on('data', take).on('end', finish);
  });
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
    // One chunk in each turn of the event loop, so that other calls come in between.
    request.pause();
    setImmediate(() => request.resume());
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
