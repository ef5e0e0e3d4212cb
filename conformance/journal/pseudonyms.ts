/** Stable names for what must not be kept: the same phone, code or token is the same pseudonym throughout a run, so a reader can still follow it. */

export type SecretKind =
  | 'phone'
  | 'code'
  | 'session-token'
  | 'exchange-token'
  | 'user-sign'
  | 'user'
  | 'digest'
  | 'patient-data'
  | 'opaque';

/** Runs of characters that tokens, numbers and digests are made of. */
const WORD = /[A-Za-z0-9_\-+/=.~]{4,}/g;

export class Pseudonyms {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<SecretKind, number>();
  /** Values with other characters than {@link WORD} has; there are few. */
  readonly #irregular: string[] = [];

  /** Makes `value` known as a secret of this kind and returns its pseudonym; the first kind it was known by stays. */
  learn(kind: SecretKind, value: string): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `‹${kind} ${count}›`;
    this.#names.set(value, name);
    if (value.replace(WORD, '') !== '' || value.length < 4) this.#irregular.push(value);
    return name;
  }

  /** The pseudonym of a value that is known. */
  nameOf(value: string): string | undefined {
    return this.#names.get(value);
  }

  /** A text with every known value, and whatever looks like a token, replaced. */
  mask(text: string): string {
    let masked = text;
    for (const value of this.#irregular) masked = masked.replaceAll(value, this.#names.get(value) as string);
    return masked.replace(WORD, (word) => this.#names.get(word) ?? this.#maskWord(word));
  }

  #maskWord(word: string): string {
    if (looksRandom(word)) return this.learn('opaque', word);
    // A known number inside a longer word, such as a code with a full stop behind it.
    return word.replace(/\d{4,}/g, (digits) => this.#names.get(digits) ?? digits);
  }
}

/** Long, with letters and digits well mixed: a token, whatever its name. */
function looksRandom(word: string): boolean {
  if (word.length < 20 || !/\d/.test(word) || !/[A-Za-z]/.test(word)) return false;
  return new Set(word).size >= 10;
}
