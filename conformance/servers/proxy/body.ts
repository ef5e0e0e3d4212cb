/** Bodies as they cross: read within limits as bytes, and shown as text to whoever looks at them. */
import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** Nothing of the interface is near it. */
const BODY_LIMIT = 4 * 1024 * 1024;

export class TooLarge extends Error {}

/** @throws TooLarge above {@link BODY_LIMIT}; Error when the message breaks off */
export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Left open on purpose when the limit is passed: the sender is to be answered before the connection is closed.
  for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new TooLarge('The message is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The body as text, unpacked as its headers say. */
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
    if (unpack) return unpack(body, { maxOutputLength: BODY_LIMIT }).toString('utf8');
  } catch {
    // Not what its header says, or too large when unpacked: nothing that could be shown, or masked.
  }
  return `‹${body.length} bytes in the encoding ${encoding.slice(0, 20)}›`;
}

const UNPACKERS = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
] as const) as ReadonlyMap<string, (body: Buffer, options: { maxOutputLength: number }) => Buffer>;
