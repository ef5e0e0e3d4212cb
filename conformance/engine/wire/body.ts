/**
 * Reads the bodies of requests and answers in the recording proxy: as bytes within a limit, and as text for
 * the journal.
 */
import type { IncomingMessage } from 'node:http';
import type { KeptBodies } from '#service/http/bodies/kept-bodies.ts';
import { headerOf } from '../journal/headers.ts';
import { zlib } from '../node-modules.ts';

/** Limits a body. Messages of the interface are far smaller. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The body is above the limit, or there is no room for it. */
export class TooLarge extends Error {}

/**
 * Reads a whole body.
 * @param room limits what the proxy keeps of all unfinished bodies together
 * @throws TooLarge above {@link MAX_BODY_BYTES} or where there is no room; Error when the message breaks off
 */
export async function readBody(message: IncomingMessage, room?: KeptBodies): Promise<Buffer> {
  // Callers do not share the room by their address: most callers of a proxy are on this machine.
  const kept = room?.open(undefined);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // By default, the loop would close the connection of a body that is too large. Its sender gets an answer.
    for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES || kept?.take(chunk.length)) throw new TooLarge('The message is too large.');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    kept?.release();
  }
}

/** Unpacks and decodes a body as its headers say. One for which that fails becomes a note in `‹…›`. */
export function textOf(body: Uint8Array, headers: [string, string][]): string {
  const encoding = headerOf(headers, 'content-encoding')?.trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity' || body.length === 0) {
    return decoded(Buffer.from(body), headers);
  }
  const unpack = UNPACKERS.get(encoding);
  try {
    if (unpack) return decoded(unpack(body, { maxOutputLength: MAX_BODY_BYTES }), headers);
  } catch {
    // The body does not match its header or is too large when unpacked: there is no text to show or mask.
  }
  return `‹${body.length} bytes in the encoding ${encoding.slice(0, 20)}›`;
}

/** What {@link textOf} says of a body that it cannot read; undefined for any other text. */
export const unreadIn = (text: string): string | undefined => /^‹(\d+ bytes in the .*)›$/.exec(text)?.[1];

/** A text that is valid UTF-8 is read as such. Else the charset of the header counts, then that of a page. */
function decoded(body: Buffer, headers: [string, string][]): string {
  const type = headerOf(headers, 'content-type') ?? '';
  const page = /\bhtml\b/i.test(type) ? body.toString('latin1', 0, MAX_META_BYTES) : '';
  const [, named] = CHARSET.exec(type) ?? META_CHARSET.exec(page) ?? [];
  const charset = named?.toLowerCase() ?? 'utf-8';
  const text = body.toString('utf8');
  if (/^utf-?8$/.test(charset) || !(SEVEN_BITS.test(charset) || text.includes('\ufffd'))) return text;
  try {
    return new TextDecoder(charset, { ignoreBOM: true }).decode(body);
  } catch {
    return `‹${body.length} bytes in the unknown charset ${charset.slice(0, 20)}›`;
  }
}

const CHARSET = /;\s*charset\s*=\s*["']?([\w.:-]+)/i;
const META_CHARSET = /<meta\b[^>]*\bcharset\s*=\s*["']?([\w.:-]+)/i;
/** A browser looks for the charset of a page in its first bytes alone. */
const MAX_META_BYTES = 1024;

/** Charsets that write each character in bytes that are valid UTF-8 too. */
const SEVEN_BITS = /^(?:utf-?16|iso-2022|hz-gb)/;

/** How each Content-Encoding is unpacked. The cast gives them one type: each has options of its own. */
const UNPACKERS = new Map([
  ['gzip', zlib?.gunzipSync],
  ['x-gzip', zlib?.gunzipSync],
  ['deflate', zlib?.inflateSync],
  ['br', zlib?.brotliDecompressSync],
] as const) as ReadonlyMap<string, (body: Uint8Array, options: { maxOutputLength: number }) => Buffer>;

/**
 * The header by which a request of the kit names its step (the `seq` of the journal entry). The recording
 * proxy reads it and removes it, so that no party sees it.
 */
export const STEP_HEADER = 'x-harness-step';
