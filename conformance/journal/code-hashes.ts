/** Hashes of a one-time code: who knows one has the code, for all codes are hashed in a second. */
import { createHash } from 'node:crypto';

const ALGORITHMS = ['md5', 'sha1', 'sha256'] as const;

/** This many characters of a hash do not occur by chance. */
const PREFIX_LENGTH = 16;

type Prefixes = { algorithm: (typeof ALGORITHMS)[number]; hex: string; base64: string };

/** The beginnings of the hashes of a code, alone and with its phone. */
export function codeHashes(code: string, phone: string): readonly Prefixes[] {
  const texts = [code, `${phone}${code}`, `${code}${phone}`, `${phone}:${code}`, `${code}:${phone}`];
  return ALGORITHMS.flatMap((algorithm) =>
    texts.map((text) => {
      const hash = createHash(algorithm).update(text).digest();
      return {
        algorithm,
        hex: hash.toString('hex').slice(0, PREFIX_LENGTH),
        base64: hash.toString('base64').slice(0, PREFIX_LENGTH),
      };
    }),
  );
}

/** With which algorithm the code is hashed in the text, in hexadecimal or base64 of either kind; undefined when it is not. */
export function hashIn(text: string, hashes: readonly Prefixes[]): string | undefined {
  if (text.length < PREFIX_LENGTH) return undefined;
  const [lower, standard] = [text.toLowerCase(), text.replaceAll('-', '+').replaceAll('_', '/')];
  return hashes.find(({ hex, base64 }) => lower.includes(hex) || standard.includes(base64))?.algorithm;
}
