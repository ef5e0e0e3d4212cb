/**
 * Finds hashes of a one-time code in a text. A hash reveals the code, because an attacker can hash all
 * possible codes in a second.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { base64Of } from '#protocol/wire/bytes.ts';
import { hashBytes } from '#protocol/wire/hashes/algorithms.ts';

const ALGORITHMS = ['md5', 'sha1', 'sha256'] as const;

/** How much of a hash is compared. Sixteen characters do not agree by chance, and a server may cut a hash. */
const PREFIX_CHARS = 16;

type Prefixes = { algorithm: (typeof ALGORITHMS)[number]; hex: string; base64: string };

/** The hashes of the code alone, and of code and phone together. */
export function codeHashes(code: string, phone: string): readonly Prefixes[] {
  const texts = [code, `${phone}${code}`, `${code}${phone}`, `${phone}:${code}`, `${code}:${phone}`];
  return ALGORITHMS.flatMap((algorithm) =>
    texts.map((text) => {
      const hash = hashBytes(algorithm, text);
      return {
        algorithm,
        hex: bytesToHex(hash).slice(0, PREFIX_CHARS),
        base64: base64Of(hash).slice(0, PREFIX_CHARS),
      };
    }),
  );
}

/** The algorithm of the first hash in the text, in hex or base64 of either alphabet; undefined: none. */
export function hashIn(text: string, hashes: readonly Prefixes[]): string | undefined {
  if (text.length < PREFIX_CHARS) return undefined;
  const [lower, standard] = [text.toLowerCase(), text.replaceAll('-', '+').replaceAll('_', '/')];
  return hashes.find(({ hex, base64 }) => lower.includes(hex) || standard.includes(base64))?.algorithm;
}
