/** Finds the secrets of a run in a text, in time that does not grow with the number of secrets. */
import { type Pseudonyms, type SecretKind, spellings } from './pseudonyms.ts';

export type FoundSecret = { readonly value: string; readonly what: string };

/** The kinds that are looked for, with their names. Users and phones are no secrets. */
const NAMED: Partial<Record<SecretKind, string>> = {
  'session-token': 'a session token',
  'exchange-token': 'an exchange token',
  'user-sign': 'a user_sign',
  digest: 'a digest',
};

/** Shorter values may occur by chance. It is also how many first characters the index has. */
const MIN_CHARS = 6;

/** Whether a value can only be the secret: it has letters and digits, or is a long number. */
const isTelling = (value: string) =>
  value.length >= MIN_CHARS && /\d/.test(value) && (/\p{L}/u.test(value) || value.length >= 12);

/** An index of the secrets that are known to the pseudonyms. It grows with them. */
export class SecretIndex {
  readonly #pseudonyms: Pseudonyms;
  readonly #byStart = new Map<string, { text: string; secret: FoundSecret }[]>();
  #indexed = 0;

  constructor(pseudonyms: Pseudonyms) {
    this.#pseudonyms = pseudonyms;
  }

  secretsIn(text: string): FoundSecret[] {
    this.#grow();
    const found: FoundSecret[] = [];
    for (let at = 0; at + MIN_CHARS <= text.length; at++)
      for (const known of this.#byStart.get(text.slice(at, at + MIN_CHARS)) ?? [])
        if (text.startsWith(known.text, at)) found.push(known.secret);
    return found;
  }

  #grow(): void {
    const { learned } = this.#pseudonyms;
    for (; this.#indexed < learned.length; this.#indexed++) {
      const { kind, value } = learned[this.#indexed] as (typeof learned)[number];
      const what = NAMED[kind];
      if (what === undefined || !isTelling(value)) continue;
      for (const text of spellings(kind, value)) {
        const start = text.slice(0, MIN_CHARS);
        this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), { text, secret: { value, what } }]);
      }
    }
  }
}
