/** Reads the bodies of answers in the recording proxy as bytes within a limit, and all bodies as text. */
import type { IncomingMessage } from 'node:http';
import { headerOf } from '../journal/headers.ts';
import { zlib } from '../node-modules.ts';

/** Limits a body, unless a wire has a smaller limit for requests. Messages of the interface are far smaller. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Reads the whole body of an answer.
 * @throws Error above {@link MAX_BODY_BYTES}, or when the answer breaks off
 */
export async function readAnswer(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('The answer is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Unpacks and decodes a body as its headers say. One for which that fails becomes a note in `‹…›`. */
export function textOf(body: Uint8Array, headers: [string, string][], limit = MAX_BODY_BYTES): string {
  const encoding = headerOf(headers, 'content-encoding')?.trim().toLowerCase() ?? '';
  try {
    return decoded(body.length === 0 ? Buffer.from(body) : unpacked(body, encoding, limit), headers);
  } catch {
    // The body does not match its header or is too large when unpacked: there is no text to show or mask.
    return `‹${body.length} bytes in the encoding ${encoding.slice(0, 20)}›`;
  }
}

/** Undoes the encodings of a list, the last first. @throws Error for one that is unknown or does not match */
function unpacked(body: Uint8Array, list: string, limit: number): Buffer {
  const encodings = list.split(',').map((name) => name.trim());
  if (encodings.length > MAX_ENCODINGS) throw new Error('The body has too many encodings.');
  return encodings.reduceRight<Buffer>((packed, name) => {
    if (name === '' || name === 'identity') return packed;
    const unpack = UNPACKERS.get(name);
    if (!unpack) throw new Error('The encoding is unknown.');
    return unpack(packed, { maxOutputLength: limit });
  }, Buffer.from(body));
}

/** Limits the encodings of one body. Servers use one, or two by mistake. */
const MAX_ENCODINGS = 4;

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

type Unpack = (body: Uint8Array, options: { maxOutputLength: number }) => Buffer;

/** How each Content-Encoding is unpacked. */
const UNPACKERS: ReadonlyMap<string, Unpack | undefined> = new Map<string, Unpack | undefined>([
  ['gzip', zlib?.gunzipSync],
  ['x-gzip', zlib?.gunzipSync],
  ['deflate', zlib && inflate(zlib)],
  ['br', zlib?.brotliDecompressSync],
]);

/** Old servers send deflate without the frame of zlib, and every browser reads both. */
function inflate({ inflateSync, inflateRawSync }: NonNullable<typeof zlib>): Unpack {
  return (body, options) => {
    try {
      return inflateSync(body, options);
    } catch {
      return inflateRawSync(body, options);
    }
  };
}

/**
 * The header by which a request of the kit names its step (the `seq` of the journal entry). The recording
 * proxy reads it and removes it, so that no party sees it.
 */
export const STEP_HEADER = 'x-harness-step';
