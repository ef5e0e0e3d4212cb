/**
 * Replaces secrets in texts by pseudonyms such as `‹code 3›`. Throughout a run equal secrets have the same
 * pseudonym, so that a masked journal still shows which values are equal.
 */
import { escapeNonAscii } from './canaries.ts';
import { findForms, type SoughtForm, secretForms, soughtForms } from './sought-forms.ts';

/** The kinds of secrets, which pseudonyms begin with. `opaque`: a word that looks like a token. */
export type SecretKind =
  | 'phone'
  | 'code'
  | 'session-token'
  | 'exchange-token'
  | 'user-sign'
  | 'user'
  | 'digest'
  | 'password'
  | 'patient-data'
  | 'opaque';

export type Secret = { readonly kind: SecretKind; readonly value: string };

/** A spelling of a secret. `name` is its pseudonym, `digits` whether the spelling has digits only. */
type Known = Secret & { text: string; name: string; digits: boolean };

/** A text up to this length is masked once and remembered, because headers, names and labels recur. */
const MAX_REMEMBERED_CHARS = 200;

/** Far more words that look like tokens than a run has. Of more the newest are known: anybody can send them. */
const MAX_WORDS = 20_000;

/** How many first characters of a secret are its index. Shorter secrets are searched one by one. */
const INDEX_CHARS = 4;

/** Far more than a run has secrets, so that few places of a text are looked at in vain. */
const HASHES = 2 ** 16;

/** A number below {@link HASHES} of the characters at a place that the index has. */
function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let next = at; next < at + INDEX_CHARS; next++) hash = (hash * 31 + text.charCodeAt(next)) % HASHES;
  return hash;
}

/** A long word of characters that tokens are made of. No pseudonym has one. */
const WORD = /[A-Za-z0-9_\-+/.~]{20,}={0,2}/g;
const NAME = /‹[a-z-]+ \d+›/y;
const WRITTEN_NUMBER = /\+?\d[\d ().-]{5,}\d/g;

/** Spellings with one beginning. Looking one up takes as long as they have different lengths, however many. */
class Alike {
  /** By text, those of different kinds. */
  readonly #byText = new Map<string, Known[]>();
  /** The longest first: one secret may be the beginning of another. */
  #lengths: number[] = [];

  add(known: Known): void {
    const { text, kind } = known;
    const same = this.#byText.get(text) ?? [];
    if (!same.some((other) => other.kind === kind)) same.push(known);
    this.#byText.set(text, same);
    if (!this.#lengths.includes(text.length))
      this.#lengths = [...this.#lengths, text.length].sort((a, b) => b - a);
  }

  remove(text: string, value: string): void {
    const others = (this.#byText.get(text) ?? []).filter((known) => known.value !== value);
    if (others.length > 0) this.#byText.set(text, others);
    else this.#byText.delete(text);
  }

  /** The spellings that stand at this place of a text. */
  *at(text: string, at: number): Generator<Known, void> {
    for (const length of this.#lengths)
      if (at + length <= text.length) yield* this.#byText.get(text.slice(at, at + length)) ?? [];
  }
}

export class Pseudonyms {
  readonly #names = new Map<string, string>();
  /** The pseudonyms of {@link #names}. A party can write what only looks like one. */
  readonly #given = new Set<string>();
  readonly #counts = new Map<SecretKind, number>();
  readonly #byStart = new Map<string, Alike>();
  /** The words that look like tokens, the oldest first. */
  readonly #words = new Set<string>();
  /** 1 at the {@link hashAt} of each start: for most places in a text it shows that no secret begins there. */
  readonly #starts = new Uint8Array(HASHES);
  readonly #short: Known[] = [];
  /** Key: the digits of a phone or code. Value: its pseudonym. */
  readonly #numbers = new Map<string, string>();
  /** Key: a short text. Value: its masked form. Empty again whenever a secret is learned. */
  readonly #masked = new Map<string, string>();
  /** What {@link seek} was asked for. */
  readonly #sought: { kind: SecretKind; forms: SoughtForm[]; whole: boolean; value: string }[] = [];

  /** Adds `value` to the secrets and returns its pseudonym. A known secret keeps its first pseudonym. */
  learn(kind: SecretKind, value: string): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    this.#masked.clear();
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `‹${kind} ${count}›`;
    this.#names.set(value, name);
    this.#given.add(name);
    for (const text of spellings(kind, value))
      this.#register({ kind, value, text, name, digits: /^\d+$/.test(text) });
    if (kind === 'phone' || (kind === 'code' && /^\d+$/.test(value)))
      this.#numbers.set(value.replace(/\D/g, ''), name);
    if (kind === 'opaque') this.#keepWord(value);
    return name;
  }

  /**
   * From now on masks `value` in every form in which a server could hide it, also with a few characters
   * missing. With `whole` false, `value` is the beginning of secrets, and each longer text gets its own
   * pseudonym.
   */
  seek(kind: SecretKind, value: string, { whole }: { whole: boolean }): void {
    this.#masked.clear();
    if (whole) this.learn(kind, value);
    const forms = whole ? secretForms(value, { mayBeCut: true }) : soughtForms(value);
    this.#sought.push({ kind, forms, whole, value });
  }

  /** The pseudonym of a secret; undefined: the value is no known secret. */
  nameOf(value: string): string | undefined {
    return this.#names.get(value);
  }

  mask(text: string): string {
    if (text.length > MAX_REMEMBERED_CHARS) return this.#search(text);
    const masked = this.#masked.get(text) ?? this.#search(text);
    this.#masked.set(text, masked);
    return masked;
  }

  /** The known secrets in a text, each as often as it stands there. */
  *secretsIn(text: string): Generator<Secret, void> {
    for (let at = 0; at < text.length; at++) {
      if (this.#starts[hashAt(text, at)] !== 1) continue;
      yield* this.#byStart.get(text.slice(at, at + INDEX_CHARS))?.at(text, at) ?? [];
    }
  }

  #keepWord(word: string): void {
    this.#words.add(word);
    const [oldest] = this.#words;
    if (oldest === undefined || this.#words.size <= MAX_WORDS) return;
    this.#words.delete(oldest);
    this.#given.delete(this.#names.get(oldest) ?? '');
    this.#names.delete(oldest);
    for (const text of spellings('opaque', oldest))
      this.#byStart.get(text.slice(0, INDEX_CHARS))?.remove(text, oldest);
  }

  #search(text: string): string {
    let masked = text;
    for (const { kind, forms, whole, value } of this.#sought) {
      masked = findForms(masked, forms, (found) => this.learn(kind, whole ? value : found));
    }
    return this.#maskKnown(masked)
      .replace(WRITTEN_NUMBER, (written) => this.#numbers.get(written.replace(/\D/g, '')) ?? written)
      .replace(WORD, (word) => (looksRandom(word) ? this.learn('opaque', word) : word));
  }

  #register(known: Known): void {
    const { kind, text, digits } = known;
    // A user id is no secret, and a short one (such as 12) would be found inside every number.
    const minUserChars = digits ? MIN_LONG_NUMBER_DIGITS : INDEX_CHARS;
    if (kind === 'user' && text.length < minUserChars) return;
    if (text.length < INDEX_CHARS) {
      this.#short.push(known);
      return;
    }
    const start = text.slice(0, INDEX_CHARS);
    this.#starts[hashAt(text, 0)] = 1;
    const alike = this.#byStart.get(start) ?? new Alike();
    alike.add(known);
    this.#byStart.set(start, alike);
  }

  #maskKnown(text: string): string {
    let masked = '';
    let copied = 0;
    for (let at = 0; at < text.length; ) {
      const found = this.#knownAt(text, at);
      if (found) {
        masked += text.slice(copied, at) + found.name;
        at += found.text.length;
        copied = at;
      } else at += this.#nameAt(text, at) || 1;
    }
    return masked + text.slice(copied);
  }

  /** The length of a pseudonym that begins at this place, or 0. */
  #nameAt(text: string, at: number): number {
    if (text[at] !== '‹') return 0;
    NAME.lastIndex = at;
    const [name = ''] = NAME.exec(text) ?? [];
    return this.#given.has(name) ? name.length : 0;
  }

  #knownAt(text: string, at: number): Known | undefined {
    if (this.#short.length === 0 && this.#starts[hashAt(text, at)] === 0) return undefined;
    for (const known of this.#byStart.get(text.slice(at, at + INDEX_CHARS))?.at(text, at) ?? [])
      if (standsAlone(known, text, at)) return known;
    return this.#short.find((known) => text.startsWith(known.text, at) && standsAlone(known, text, at));
  }
}

/** A secret number of at least this length is also found inside longer numbers. */
const MIN_LONG_NUMBER_DIGITS = 9;

/** The spellings of a value in a JSON text, in a URL and in a form. */
function spellings(kind: SecretKind, value: string): Set<string> {
  if (value === '') return new Set();
  // No URL can contain an unpaired surrogate.
  const encoded = value.isWellFormed() ? encodeURIComponent(value) : value;
  const digits = value.replace(/\D/g, '');
  return new Set([
    value,
    JSON.stringify(value).slice(1, -1),
    escapeNonAscii(JSON.stringify(value).slice(1, -1)),
    encoded,
    encoded.replaceAll('%20', '+'),
    encoded.replace(/%../g, (escaped) => escaped.toLowerCase()),
    ...(kind === 'phone' && digits.length >= 7 ? [digits] : []),
  ]);
}

/** Whether the secret at this place is no accidental part of a longer word or number. */
function standsAlone({ text: value, kind, digits }: Known, text: string, at: number): boolean {
  const after = text[at + value.length] ?? '';
  const escaped = /^%[0-9a-f]{2}$/i.test(text.slice(Math.max(0, at - 3), at));
  const before = escaped ? '' : (text[at - 1] ?? '');
  if (kind === 'user') return !/[\w.-]/.test(before) && !/[\w-]/.test(after);
  if (value.length < INDEX_CHARS) return !/\w/.test(before) && !/\w/.test(after);
  return !digits || value.length >= MIN_LONG_NUMBER_DIGITS || (!/\d/.test(before) && !/\d/.test(after));
}

function looksRandom(word: string): boolean {
  const plain = word.replace(/[^A-Za-z0-9]/g, '');
  if (word.length < 20 || !/[A-Za-z]/.test(plain) || new Set(plain).size < 8) return false;
  if (/^[0-9a-f]{32,}$/i.test(word)) return true;
  const classes = plain.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0');
  let changes = 0;
  for (let at = 1; at < classes.length; at++) if (classes[at] !== classes[at - 1]) changes++;
  const mixed = changes / (classes.length - 1);
  // In human words letters stand next to letters. In random texts the class of characters changes often.
  if (/\d/.test(plain)) return mixed >= 0.15;
  // One token in 1,400 has no digit. Compound words have a few capitals; in random texts capitals and small
  // letters are about equally frequent.
  const capitals = classes.replaceAll('a', '').length / classes.length;
  return mixed >= 0.4 || (mixed >= 0.15 && Math.min(capitals, 1 - capitals) >= 0.25);
}
