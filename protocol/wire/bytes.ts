/** Bytes as texts and texts as bytes, in a browser as in Node. */
import { hexToBytes } from '@noble/hashes/utils.js';

/** The text with one character for each byte. */
export function binaryOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

export const base64Of = (bytes: Uint8Array): string => btoa(binaryOf(bytes));

/** Base64 in the alphabet for addresses, without padding. */
export function base64urlOf(bytes: Uint8Array): string {
  return base64Of(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The bytes of the pairs of hexadecimal digits with which a text begins. */
export function bytesInHex(text: string): Uint8Array {
  const [digits = ''] = /^(?:[0-9a-f]{2})*/i.exec(text) ?? [];
  return hexToBytes(digits);
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The six bits of each character of either alphabet, by its code. */
const SIX_BITS = new Map([
  ...Array.from(BASE64, (sign, bits) => [sign.charCodeAt(0), bits] as const),
  ['-'.charCodeAt(0), 62],
  ['_'.charCodeAt(0), 63],
]);

/** The bytes of base64 of either alphabet. Bits that are no byte and characters that are none are ignored. */
export function bytesInBase64(text: string): Uint8Array {
  const bytes = new Uint8Array((text.length * 6) >> 3);
  let [length, held, count] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const bits = SIX_BITS.get(text.charCodeAt(at));
    if (bits === undefined) continue;
    held = ((held << 6) | bits) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[length++] = held >> count;
  }
  return bytes.subarray(0, length);
}

const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text of UTF-8. A byte order mark stays. */
export const textOfBytes = (bytes: Uint8Array): string => UTF_8.decode(bytes);
