/** SHA-1 and SHA-256 of texts, taken as UTF-8. */
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

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

/** Those of Node where there is one: they take a third of the time or less, and a call needs up to four. */
export const hashes: Hashes = hashesOfNode() ?? javaScriptHashes;

/** The part of Node that is used here. A browser lacks it, so this room is compiled without Node's types. */
type NodeCrypto = {
  hash(algorithm: string, text: string, encoding: 'hex'): string;
  hash(algorithm: string, text: string, encoding: 'buffer'): Uint8Array;
};
type Surroundings = { process?: { getBuiltinModule?(name: 'node:crypto'): NodeCrypto | undefined } };

function hashesOfNode(): Hashes | undefined {
  const crypto = (globalThis as Surroundings).process?.getBuiltinModule?.('node:crypto');
  return (
    crypto && {
      sha1: (text) => crypto.hash('sha1', text, 'hex'),
      sha256: (text) => crypto.hash('sha256', text, 'buffer'),
    }
  );
}
