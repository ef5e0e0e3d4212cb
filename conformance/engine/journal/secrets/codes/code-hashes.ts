/** Hashes of a one-time code. A hash reveals the code, because all possible codes are hashed in a second. */
import { createHash } from 'node:crypto';

const ALGORITHMS = ['md5', 'sha1', 'sha256'] as const;

/** This many characters of a hash do not occur by chance. */
const PREFIX_CHARS = 16;

type Prefixes = { algorithm: (typeof ALGORITHMS)[number]; hex: string; base64: string };

/** The beginnings of the hashes of a code, alone and with its phone. */
export function codeHashes(code: string, phone: string): readonly Prefixes[] {
  const texts = [code, `${phone}${code}`, `${code}${phone}`, `${phone}:${code}`, `${code}:${phone}`];
  return ALGORITHMS.flatMap((algorithm) =>
    texts.map((text) => {
      const hash = createHash(algorithm).update(text).digest();
      return {
        algorithm,
        hex: hash.toString('hex').slice(0, PREFIX_CHARS),
        base64: hash.toString('base64').slice(0, PREFIX_CHARS),
      };
    }),
  );
}

/**
 * The algorithm of a hash of the code in the text, in hexadecimal or either kind of base64; undefined when
 * there is none.
 */
export function hashIn(text: string, hashes: readonly Prefixes[]): string | undefined {
  if (text.length < PREFIX_CHARS) return undefined;
  const [lower, standard] = [text.toLowerCase(), text.replaceAll('-', '+').replaceAll('_', '/')];
  return hashes.find(({ hex, base64 }) => lower.includes(hex) || standard.includes(base64))?.algorithm;
}
