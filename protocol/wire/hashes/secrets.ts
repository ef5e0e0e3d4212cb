/** Hashes secrets for the stores, and compares them in constant time. Both servers and the browser use it. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { hashes } from './hashes.ts';

/** SHA-256 of a token: the only form in which tokens are stored and looked up. */
export function hashToken(token: string): Uint8Array {
  return hashes.sha256(token);
}

/** HMAC-SHA-256 of a text. Without the key, nobody can try the few possible texts against a stored hash. */
export function keyedHash(key: string | Uint8Array, text: string): Uint8Array {
  return hmac(sha256, typeof key === 'string' ? utf8ToBytes(key) : key, utf8ToBytes(text));
}

/** Compare a given text with a secret. The time tells the length of `given`, and not where they differ. */
export function sameText(given: string, secret: string): boolean {
  let difference = given.length ^ secret.length;
  for (let at = 0; at < given.length; at++) difference |= given.charCodeAt(at) ^ secret.charCodeAt(at);
  return difference === 0;
}

/** The same for hashes. */
export function sameBytes(given: Uint8Array, secret: Uint8Array): boolean {
  let difference = given.length ^ secret.length;
  for (const [at, byte] of given.entries()) difference |= byte ^ (secret[at] ?? 0);
  return difference === 0;
}
