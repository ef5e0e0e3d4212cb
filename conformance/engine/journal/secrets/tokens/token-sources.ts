/**
 * Recognizes tokens that are no random values, but hashes of a value that others know (a phone, a code, an
 * earlier token) or can guess (a counter).
 */
import { binaryOf, bytesInBase64, bytesInHex } from '#protocol/wire/bytes.ts';
import { type Algorithm, hashBytes } from '#protocol/wire/hashes/algorithms.ts';
import { nodeHash } from '#protocol/wire/hashes/node-hash.ts';

const ALGORITHMS = ['md5', 'sha1', 'sha256', 'sha512'] as const satisfies readonly Algorithm[];

/**
 * Numbers below this one are tried as a counter that the server hashes. In a browser none are: the hashes
 * would take seconds, and no server of another make runs there.
 */
const MAX_COUNTED = nodeHash ? 20_000 : 0;

/** How much of a hash is compared: eight bytes do not agree by chance, and a server may cut a hash. */
const PREFIX_BYTES = 8;

/** The beginnings of the hashes of the first numbers, by algorithm. Undefined: not computed yet. */
let counted: ReadonlyMap<Algorithm, ReadonlySet<string>> | undefined;

/**
 * Names the algorithm by which a hash of one of the first numbers begins so. The hashes are computed once,
 * when the first token is seen, and by a plain loop: the kit answers nobody meanwhile.
 */
function algorithmOfCounted(prefix: string): Algorithm | undefined {
  counted ??= new Map(ALGORITHMS.map((algorithm) => [algorithm, countedBy(algorithm)]));
  return ALGORITHMS.find((algorithm) => counted?.get(algorithm)?.has(prefix));
}

function countedBy(algorithm: Algorithm): ReadonlySet<string> {
  const prefixes = new Set<string>();
  for (let number = 0; number < MAX_COUNTED; number++) prefixes.add(prefixOf(algorithm, String(number)));
  return prefixes;
}

/** The beginning of a hash, as a text with one character for each byte. */
const prefixOf = (algorithm: Algorithm, value: string) =>
  binaryOf(hashBytes(algorithm, value).subarray(0, PREFIX_BYTES));

const sourceIn = (algorithm: Algorithm, what: string) => `the ${algorithm.toUpperCase()} of ${what}`;

/** Decodes a token: hexadecimal, with or without dashes, or either kind of base64. */
function bytesIn(token: string): Uint8Array {
  const plain = token.replaceAll('-', '');
  return /^[0-9a-f]+$/i.test(plain) ? bytesInHex(plain) : bytesInBase64(token);
}

/** Collects values that others may know, and recognizes tokens that are hashes of them. */
export class TokenSources {
  readonly #hashes = new Map<string, string>();

  /** Notes a value that others may know. `what` names it in findings. */
  learn(value: string, what: string): void {
    for (const algorithm of ALGORITHMS)
      this.#hashes.set(prefixOf(algorithm, value), sourceIn(algorithm, what));
  }

  /** Says of what value a token is the hash; undefined: of no known value. */
  of(token: string): string | undefined {
    const prefix = binaryOf(bytesIn(token).subarray(0, PREFIX_BYTES));
    const known = this.#hashes.get(prefix);
    if (known !== undefined) return known;
    const algorithm = algorithmOfCounted(prefix);
    return algorithm && sourceIn(algorithm, 'a counted number');
  }
}
