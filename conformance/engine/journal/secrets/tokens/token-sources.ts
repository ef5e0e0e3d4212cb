/**
 * Recognizes tokens that are no random values, but hashes of a value that others know (a phone, a code, an
 * earlier token) or can guess (a counter).
 */
import { hash } from 'node:crypto';

const ALGORITHMS = ['md5', 'sha1', 'sha256', 'sha512'] as const;

/** Numbers below this one are tried as a counter that the server hashes. */
const MAX_COUNTED = 20_000;

/** How much of a hash is compared: eight bytes do not agree by chance, and a server may cut a hash. */
const PREFIX_BYTES = 8;

/** Key: the beginning of a hash. Value: its source in words. Undefined: not computed yet. */
let counted: ReadonlyMap<string, string> | undefined;

/** Returns the hashes of the first numbers. They are computed once, when the first token is seen. */
function countedHashes(): ReadonlyMap<string, string> {
  counted ??= new Map(
    Array.from({ length: MAX_COUNTED }, (_, number) => hashesOf(String(number), 'a counted number')).flat(),
  );
  return counted;
}

function hashesOf(value: string, what: string): [prefix: string, source: string][] {
  return ALGORITHMS.map((algorithm) => [
    hash(algorithm, value).slice(0, 2 * PREFIX_BYTES),
    `the ${algorithm.toUpperCase()} of ${what}`,
  ]);
}

/** Decodes a token: hexadecimal, with or without dashes, or either kind of base64. */
function bytesIn(token: string): Buffer {
  const plain = token.replaceAll('-', '');
  return /^[0-9a-f]+$/i.test(plain) ? Buffer.from(plain, 'hex') : Buffer.from(token, 'base64url');
}

/** Collects values that others may know, and recognizes tokens that are hashes of them. */
export class TokenSources {
  readonly #hashes = new Map<string, string>();

  /** Notes a value that others may know. `what` names it in findings. */
  learn(value: string, what: string): void {
    for (const [prefix, source] of hashesOf(value, what)) this.#hashes.set(prefix, source);
  }

  /** Says of what value a token is the hash; undefined: of no known value. */
  of(token: string): string | undefined {
    const prefix = bytesIn(token).subarray(0, PREFIX_BYTES).toString('hex');
    return this.#hashes.get(prefix) ?? countedHashes().get(prefix);
  }
}
