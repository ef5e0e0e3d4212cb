/** Randomness as a value: tokens and codes come from a given `Random`, so a seeded run is repeatable. */
import { base64urlOf } from '../wire/bytes.ts';

/** Returns `length` fresh random bytes. */
export type Random = (length: number) => Uint8Array;

/**
 * How many bytes are fetched at a time: a request to the platform costs a microsecond, whatever its length.
 */
const pool = new Uint8Array(2_048);
let used = pool.length;

/** The platform's cryptographic generator. Bytes are erased from the stock as they are given out. */
export const systemRandom: Random = (length) => {
  if (length > pool.length / 8) return crypto.getRandomValues(new Uint8Array(length));
  if (used + length > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const bytes = pool.slice(used, used + length);
  pool.fill(0, used, used + length);
  used += length;
  return bytes;
};

/**
 * Create a repeatable generator for tests (sfc32): same seed, same bytes. Never use it for secrets.
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
  return base64urlOf(random(bytes));
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
