/** Texts hidden as base64: the payload of a signed token, a reference made of phone and code. */

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
