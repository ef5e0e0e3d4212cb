/** The hash function of Node, where there is one: it takes a third of the library's time, or less. */

/** The part of Node that is used here. A browser lacks it, so this room is compiled without Node's types. */
export type NodeHash = {
  (algorithm: string, data: string | Uint8Array, encoding: 'hex'): string;
  (algorithm: string, data: string | Uint8Array, encoding: 'buffer'): Uint8Array;
};
type NodeCrypto = { hash: NodeHash };
type MaybeNode = { process?: { getBuiltinModule?(name: 'node:crypto'): NodeCrypto | undefined } };

const crypto = (globalThis as MaybeNode).process?.getBuiltinModule?.('node:crypto');

/** Hashes a text, as UTF-8, or bytes. Undefined in a browser. */
export const nodeHash: NodeHash | undefined = crypto?.hash;
