/** The hash functions that servers use, over texts (as UTF-8) and bytes, in a browser as in Node. */
import { hmac } from '@noble/hashes/hmac.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { type NodeHash, nodeHash } from './node-hash.ts';

export type Algorithm = 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512';

const inJavaScript = { md5, sha1, sha256, sha384, sha512 };

/** For browsers, whose own hashes are asynchronous. */
export function javaScriptHash(algorithm: Algorithm, data: string | Uint8Array): Uint8Array {
  return inJavaScript[algorithm](typeof data === 'string' ? utf8ToBytes(data) : data);
}

const hashBy =
  (hash: NodeHash): typeof javaScriptHash =>
  (algorithm, data) =>
    hash(algorithm, data, 'buffer');

/** Computes a hash, by Node where there is one. */
export const hashBytes = nodeHash ? hashBy(nodeHash) : javaScriptHash;

export function hmacSha1(key: string, text: string): Uint8Array {
  return hmac(sha1, utf8ToBytes(key), utf8ToBytes(text));
}
