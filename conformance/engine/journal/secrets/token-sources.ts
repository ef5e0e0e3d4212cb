/**
 * Recognizes tokens that are no random values, but hashes of a value that others know (a phone, a code, an
 * earlier token) or can guess (a counter).
 */
import { binaryOf, bytesInBase64, bytesInHex } from '#protocol/wire/bytes.ts';
import { type Algorithm, hashBytes, nodeHash } from '#protocol/wire/hashes.ts';

/** A value that others may know, in the words of findings. */
type KnownValue = 'a phone' | 'a code' | 'a user' | 'an earlier token';

/** What a token is the hash of. */
type Hashed = { algorithm: Algorithm; what: KnownValue | 'a phone and the time' | 'a counted number' };

const ALGORITHMS = ['md5', 'sha1', 'sha256', 'sha512'] as const satisfies readonly Algorithm[];

/**
 * Numbers below this one are tried as a counter that the server hashes. In a browser none are: the hashes
 * would take seconds, and no server of another make runs there.
 */
const MAX_COUNTED = nodeHash ? 20_000 : 0;

/** How much of a hash is compared: eight bytes do not agree by chance, and a server may cut a hash. */
const PREFIX_BYTES = 8;

/** The first tokens of a run show how tokens are made; each costs some thousand hashes. */
const MAX_TIMED = 8;
/** A time in seconds is tried so far around the present: the clock of the server may differ. */
const MAX_SKEW_S = 3;
/** A time in milliseconds is tried so far back: a token of a server on the same clock arrives within it. */
const RECENT_MS = 100;
const JOINTS = ['', ':', '-', '|', '_'];

/** Collects values that others may know, and recognizes tokens that are hashes of them. */
export class TokenSources {
  /** Key: the beginning of the hash. */
  readonly #hashes = new Map<string, Hashed>();
  #timed = 0;

  /** Notes a value that others may know. */
  learn(value: string, what: KnownValue): void {
    for (const algorithm of ALGORITHMS) this.#hashes.set(prefixOf(algorithm, value), { algorithm, what });
  }

  /** Says that a user id is the hash of a phone; undefined: of none that is known. */
  ofPhone(user: string): string | undefined {
    const known = this.#hashes.get(prefixIn(user));
    return known?.what === 'a phone' ? sentenceOf(known) : undefined;
  }

  /** Says that one of the first tokens is the hash of one of these phones and the time, `now` (ms). */
  ofPhoneAt(token: string, phones: readonly string[], now: number): string | undefined {
    if (!nodeHash || ++this.#timed > MAX_TIMED) return undefined;
    const prefix = prefixIn(token);
    const earliest = Math.floor(now / 1_000) - MAX_SKEW_S;
    const seconds = Array.from({ length: 2 * MAX_SKEW_S + 1 }, (_, index) => earliest + index);
    const times = [...seconds, ...Array.from({ length: RECENT_MS }, (_, ms) => now - ms)];
    const texts = phones.flatMap((phone) =>
      times.flatMap((time) => JOINTS.flatMap((joint) => [phone + joint + time, time + joint + phone])),
    );
    const algorithm = ALGORITHMS.find((each) => texts.some((text) => prefixOf(each, text) === prefix));
    return algorithm && sentenceOf({ algorithm, what: 'a phone and the time' });
  }

  /** Says of what value a token is the hash; undefined: of no known value. */
  of(token: string): string | undefined {
    const prefix = prefixIn(token);
    const known = this.#hashes.get(prefix);
    if (known) return sentenceOf(known);
    const algorithm = algorithmOfCounted(prefix);
    return algorithm && sentenceOf({ algorithm, what: 'a counted number' });
  }
}

const sentenceOf = ({ algorithm, what }: Hashed): string => `the ${algorithm.toUpperCase()} of ${what}`;

/** The beginning of a hash, as a text with one character for each byte. */
const prefixOf = (algorithm: Algorithm, value: string) =>
  binaryOf(hashBytes(algorithm, value).subarray(0, PREFIX_BYTES));

const prefixIn = (token: string) => binaryOf(bytesIn(token).subarray(0, PREFIX_BYTES));

/** Decodes a token: hexadecimal, with or without dashes, or either kind of base64. */
function bytesIn(token: string): Uint8Array {
  const plain = token.replaceAll('-', '');
  return /^[0-9a-f]+$/i.test(plain) ? bytesInHex(plain) : bytesInBase64(token);
}

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
