/**
 * Finds texts that a message hides as base64, such as the payload of a signed token. The kit searches them
 * for secrets and patient data, too.
 */
import { binaryOf, bytesInBase64 } from '#protocol/wire/bytes.ts';
import { zlib } from '../../node-modules.ts';

/** Words of at least eight characters: a shorter word has less than six bytes, too few for a secret. */
const BASE64_WORD = /[A-Za-z0-9+/_-]{8,}={0,2}/g;
const PRINTABLE = /^[\x20-\x7e\s]+$/;

/**
 * Decodes each base64 word of either alphabet. Returns those that are readable text: random data is not.
 * @example decodedTexts('{"ref":"dj0xO2NvZGU9MjA0ODYz"}') // ['v=1;code=204863']
 */
export function decodedTexts(text: string): string[] {
  return [...text.matchAll(BASE64_WORD)]
    .map(([word]) => binaryOf(bytesInBase64(word)))
    .filter((decoded) => PRINTABLE.test(decoded));
}

/** The text without its percent-encoding. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that begins no escape: the text was not encoded.
    return text;
  }
}

/** Limits the decompressed texts of a message together: a small one could grow to fill the memory. */
const MAX_INFLATED_BYTES = 1_048_576;

/** Reads each base64 word in further ways: decompressed, if gzip or zlib compressed it, and as UTF-16. */
export function unpackedTexts(text: string): string[] {
  const packed = [...text.matchAll(BASE64_WORD)].map(([word]) => bytesInBase64(word));
  let left = MAX_INFLATED_BYTES;
  const unpacked = packed.flatMap((data) => {
    const inner = inflated(data, left) ?? [];
    left -= inner.length;
    return inner;
  });
  return [...unpacked, ...packed.map((data) => UTF_16.decode(data))];
}

const UTF_16 = new TextDecoder('utf-16le');

/** In a browser compressed words stay unread. */
function inflated(data: Uint8Array, limit: number): string | undefined {
  // Nearly every word is random data. To try to decompress each would be the slowest part of the search.
  if (!zlib || limit <= 0 || !isCompressed(data)) return undefined;
  try {
    return zlib.unzipSync(data, { maxOutputLength: limit }).toString('utf8');
  } catch {
    // It is random data that only begins like compressed data.
    return undefined;
  }
}

/** Whether data begin like gzip (RFC 1952, 2.3.1), or like zlib (RFC 1950, 2.2) with its usual window. */
function isCompressed(data: Uint8Array): boolean {
  const [first = 0, second = 0] = data;
  const start = (first << 8) | second;
  return start === 0x1f8b || (start >> 8 === 0x78 && start % 31 === 0);
}
