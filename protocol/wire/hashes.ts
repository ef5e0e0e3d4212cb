/**
 * Hashes of texts, taken as UTF-8, and of bytes, as servers and browsers compute them alike: by Node where there
 * is one, which takes a third of the library's time, or less.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

export type Algorithm = 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** The part of Node that is used here. A browser lacks it, so this room is compiled without Node's types. */
type NodeHash = {
  (algorithm: Algorithm, data: string | Uint8Array, encoding: 'hex'): string;
  (algorithm: Algorithm, data: string | Uint8Array, encoding: 'buffer'): Uint8Array;
};
type NodeCrypto = { hash: NodeHash };
type MaybeNode = { process?: { getBuiltinModule?(name: 'node:crypto'): NodeCrypto | undefined } };

/** Undefined in a browser. */
export const nodeHash = (globalThis as MaybeNode).process?.getBuiltinModule?.('node:crypto')?.hash;

type Hashes = {
  hashBytes(algorithm: Algorithm, data: string | Uint8Array): Uint8Array;
  /** Returns lowercase hexadecimal characters. */
  hashHex(algorithm: Algorithm, data: string | Uint8Array): string;
};

const algorithms = { md5, sha1, sha256, sha384, sha512 };

/** For browsers, whose own hashes are asynchronous. */
export const inJavaScript: Hashes = {
  hashBytes: (algorithm, data) => algorithms[algorithm](typeof data === 'string' ? utf8ToBytes(data) : data),
  hashHex: (algorithm, data) => bytesToHex(inJavaScript.hashBytes(algorithm, data)),
};

const inNode = (hash: NodeHash): Hashes => ({
  hashBytes: (algorithm, data) => hash(algorithm, data, 'buffer'),
  hashHex: (algorithm, data) => hash(algorithm, data, 'hex'),
});

export const { hashBytes, hashHex } = nodeHash ? inNode(nodeHash) : inJavaScript;

export function hmacSha1(key: string, text: string): Uint8Array {
  return hmac(sha1, utf8ToBytes(key), utf8ToBytes(text));
}

/** SHA-256 of a token: the only form in which tokens are stored and looked up. */
export function hashToken(token: string): Uint8Array {
  return hashBytes('sha256', token);
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

/** The form of `cred.token` in an internal call: 40 lowercase hexadecimal characters. */
export const DIGEST_SHAPE = /^[0-9a-f]{40}$/;

/**
 * Compute SHA-1 of the internal password followed directly by `secret`, both as UTF-8. The secret is
 * `user_sign` for `save_auth_info` (§5.1), and the exchange token for `save_exchange_token` (§5.2).
 * @returns 40 lowercase hexadecimal characters
 * @example digest('internal-password', userSign)
 */
export function digest(password: string, secret: string): string {
  return hashHex('sha1', password + secret);
}
