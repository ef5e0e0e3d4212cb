/** Randomness as a value: tokens and codes come from the `Random` a party is handed, so a seeded run repeats itself. */

/** Returns `length` fresh random bytes. */
export type Random = (length: number) => Uint8Array;

/** The platform's cryptographic generator. */
export const systemRandom: Random = (length) => crypto.getRandomValues(new Uint8Array(length));

/**
 * A repeatable generator for tests (sfc32): same seed, same bytes. Never for secrets.
 */
export function seededRandom(seed: number): Random {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, seed | 0, 1];
  const next = () => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t;
    return t >>> 24;
  };
  for (let warmUp = 0; warmUp < 15; warmUp++) next();
  return (length) => Uint8Array.from({ length }, next);
}

/** `bytes` random bytes as base64url without padding: 32 bytes are 43 characters and 256 bits. */
export function randomToken(random: Random, bytes = 32): string {
  return btoa(String.fromCharCode(...random(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** A decimal code of `digits` digits, each value equally likely (rejection sampling, no modulo bias). */
export function randomCode(random: Random, digits: number): string {
  let code = '';
  while (code.length < digits) {
    for (const byte of random(digits)) {
      if (byte < 250 && code.length < digits) code += byte % 10;
    }
  }
  return code;
}
