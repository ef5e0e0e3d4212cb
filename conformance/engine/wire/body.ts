/** Reads bodies as bytes within a limit, and decodes them to text. */
import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { KeptBodies } from '#service/http/bodies/kept-bodies.ts';

/** Limits a body; messages of the interface are far smaller. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

export class TooLarge extends Error {}

/**
 * @param room bounds what a server keeps of all bodies that have not come whole
 * @throws TooLarge above {@link MAX_BODY_BYTES} or where there is no room; Error when the message breaks off
 */
export async function readBody(message: IncomingMessage, room?: KeptBodies): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(message, room)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The body chunk by chunk, within the same limits. */
async function* chunksOf(message: IncomingMessage, room?: KeptBodies): AsyncGenerator<Buffer> {
  // The callers of a proxy are not told apart by address: most of them are on this machine.
  const kept = room?.open(undefined);
  let size = 0;
  try {
    // Does not destroy a message that is too large: its sender gets an answer before the connection ends.
    for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES || kept?.take(chunk.length)) throw new TooLarge('The message is too large.');
      yield chunk;
    }
  } finally {
    kept?.release();
  }
}

/** Returns the body as text, unpacked as its headers say. */
export function textOf(body: Buffer, headers: readonly [string, string][]): string {
  const encoding = headers
    .find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]
    .trim()
    .toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity' || body.length === 0) {
    return body.toString('utf8');
  }
  const unpack = UNPACKERS.get(encoding);
  try {
    if (unpack) return unpack(body, { maxOutputLength: MAX_BODY_BYTES }).toString('utf8');
  } catch {
    // The body does not match its header or is too large when unpacked: there is no text to show or mask.
  }
  return `‹${body.length} bytes in the encoding ${encoding.slice(0, 20)}›`;
}

const UNPACKERS = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
] as const) as ReadonlyMap<string, (body: Buffer, options: { maxOutputLength: number }) => Buffer>;
