/** SHA-1 and SHA-256 of texts, taken as UTF-8. */
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type NodeHash, nodeHash } from './node-hash.ts';

export type Hashes = {
  /** Returns 40 lowercase hexadecimal characters. */
  sha1(text: string): string;
  /** Returns 32 bytes. */
  sha256(text: string): Uint8Array;
};

/** For browsers, whose own hashes are asynchronous. */
export const javaScriptHashes: Hashes = {
  sha1: (text) => bytesToHex(sha1(utf8ToBytes(text))),
  sha256: (text) => sha256(utf8ToBytes(text)),
};

/** Those of Node where there is one: a call needs up to four. */
export const hashes: Hashes = nodeHash ? hashesBy(nodeHash) : javaScriptHashes;

function hashesBy(hash: NodeHash): Hashes {
  return { sha1: (text) => hash('sha1', text, 'hex'), sha256: (text) => hash('sha256', text, 'buffer') };
}
