/** Reads a request body within its limit. */
import type { IncomingMessage } from 'node:http';

/** The connection of a refused body is cut when more than this arrives. */
const MAX_DRAINED_BYTES = 8 * 1024 * 1024;

/** What a body may take while it comes in. */
export type BodyRules<Refusal> = {
  /** The largest body, in bytes. */
  limit: number;
  /**
   * Called before a chunk is kept to wait for others: with its length, and that of the body so far. What it
   * answers is the refusal of the body. Nothing more is received until then.
   */
  admit?: (chunk: number, size: number) => Promise<Refusal | undefined> | Refusal | undefined;
  /** Called when nothing of the body is kept any more. */
  release?: () => void;
};

/**
 * Read the whole body. Resolves to `too_large` as soon as more than `limit` bytes are announced or sent, or
 * to the refusal of `admit`; the rest of such a body is received and discarded. If the caller disconnects,
 * the promise stays pending: there is nobody to answer.
 */
export function readBody<Refusal = never>(
  request: IncomingMessage,
  { limit, admit, release }: BodyRules<Refusal>,
): Promise<Buffer | 'too_large' | Refusal> {
  return new Promise((resolve) => {
    const announced = announcedLength(request);
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (refusal: 'too_large' | Refusal) => {
      request.off('data', take).off('end', finish);
      chunks.length = 0;
      release?.();
      discardBody(request);
      resolve(refusal);
    };
    const keep = (chunk: Buffer, refusal: Refusal | undefined) => {
      if (refusal === undefined) chunks.push(chunk);
      else refuse(refusal);
      request.resume();
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) refuse('too_large');
      // Most bodies are one chunk, which waits for no other.
      else if (chunk.length === announced || !admit) chunks.push(chunk);
      else {
        const admitted = admit(chunk.length, size);
        if (!(admitted instanceof Promise)) return keep(chunk, admitted);
        request.pause();
        void admitted.then((refusal) => keep(chunk, refusal));
      }
    };
    const finish = () => {
      release?.();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    };
    if (announced > limit) refuse('too_large');
    else request.on('data', take).on('end', finish);
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
