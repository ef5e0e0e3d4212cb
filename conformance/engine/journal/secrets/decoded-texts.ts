/** Texts hidden as base64: the payload of a signed token, a reference of phone and code, compressed data. */
import { unzipSync } from 'node:zlib';

/** Shorter words contain too little. */
const BASE64_WORD = /[A-Za-z0-9+/_-]{8,}={0,2}/g;
const PRINTABLE = /^[\x20-\x7e\s]+$/;

/**
 * Decodes each base64 word of either alphabet that is readable text; random data is not.
 * @example decodedTexts('{"ref":"dj0xO2NvZGU9MjA0ODYz"}') // ['v=1;code=204863']
 */
export function decodedTexts(text: string): string[] {
  return [...text.matchAll(BASE64_WORD)]
    .map(([word]) => Buffer.from(word, 'base64').toString('latin1'))
    .filter((decoded) => PRINTABLE.test(decoded));
}

/** Limits what a compressed text may grow to. */
const MAX_INFLATED_BYTES = 1_048_576;

/** Reads each base64 word in further ways: inflated, if it is compressed by gzip or zlib, and as UTF-16. */
export function unpackedTexts(text: string): string[] {
  const packed = [...text.matchAll(BASE64_WORD)].map(([word]) => Buffer.from(word, 'base64'));
  return [
    ...packed.flatMap((data) => inflated(data) ?? []),
    ...packed.map((data) => data.toString('utf16le')),
  ];
}

function inflated(data: Buffer): string | undefined {
  // Nearly every word is random data, and an attempt to inflate it costs more than all else about a message.
  if (!isCompressed(data)) return undefined;
  try {
    return unzipSync(data, { maxOutputLength: MAX_INFLATED_BYTES }).toString('utf8');
  } catch {
    // Random data that begins as compressed data does.
    return undefined;
  }
}

/** True where data begin as those of gzip (RFC 1952, 2.3.1) or zlib (RFC 1950, 2.2) do. */
function isCompressed(data: Buffer): boolean {
  if (data.length < 2) return false;
  const start = data.readUInt16BE();
  return start === 0x1f8b || ((start & 0x0f00) === 0x0800 && start % 31 === 0);
}
