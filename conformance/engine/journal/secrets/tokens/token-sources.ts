/** Recognizes tokens that are no draw of their own: hashes of what others know or can try. */
import { hash } from 'node:crypto';

const ALGORITHMS = ['md5', 'sha1', 'sha256', 'sha512'] as const;

/** Numbers up to this one are tried as a counter. */
const MAX_COUNTED = 20_000;

/** This many bytes of a hash do not occur by chance. */
const PREFIX_BYTES = 8;

let counted: ReadonlyMap<string, string> | undefined;

/** The hashes of the first numbers; computed once, when the first token is seen. */
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

/** The bytes that a token writes in hexadecimal, with or without dashes, or in either kind of base64. */
function bytesIn(token: string): Buffer {
  const plain = token.replaceAll('-', '');
  return /^[0-9a-f]+$/i.test(plain) ? Buffer.from(plain, 'hex') : Buffer.from(token, 'base64url');
}

export class TokenSources {
  readonly #hashes = new Map<string, string>();

  /** Notes a value that others may know. */
  learn(value: string, what: string): void {
    for (const [prefix, source] of hashesOf(value, what)) this.#hashes.set(prefix, source);
  }

  /** What a token was made of; undefined when it looks like a draw of its own. */
  of(token: string): string | undefined {
    const prefix = bytesIn(token).subarray(0, PREFIX_BYTES).toString('hex');
    return this.#hashes.get(prefix) ?? countedHashes().get(prefix);
  }
}
