/**
 * Watches what the server under test writes to its standard output and standard error: searches the lines
 * for secrets and patient data, and notes their kind and number. The lines themselves are never recorded.
 */
import type { Entry, ObservationEntry } from './entry.ts';
import type { Recorder } from './recorder.ts';
import { findCanaries } from './secrets/canaries.ts';
import { decodedTexts } from './secrets/decoded-texts.ts';
import type { Secret, SecretKind } from './secrets/pseudonyms.ts';
import { hasForm } from './secrets/sought-forms.ts';

/** The label of the notes. Each note has the counts since the one before; the first one may have none. */
export const SERVER_OUTPUT = 'output of the server';

/** Limits the characters that wait for the end of a scenario, when the kit knows all secrets of its lines. */
const MAX_WAITING_CHARS = 4_000_000;

/** Limits the different numbers that are remembered. */
const MAX_NUMBERS = 200_000;

/** A whole number that could be a code. It is no part of a word, a time, a date or a fraction. */
const NUMBER = /(?<![\p{L}\p{N}]|\p{N}[.,:-])\d{4,8}(?![\p{L}\p{N}]|[.,:-]\p{N})/gu;

/** A member of a call that is no secret. The kit sends a token there on purpose, as if it were a user. */
const PUBLIC_MEMBER = /"(?:user|id|method)"\s*:\s*"(?:[^"\\]|\\.)*"/g;

/** A password of small letters alone may be a word of the log. */
const isTellingPassword = (password: string) => password.length >= 6 && /[^a-z]/.test(password);

export class OutputWatch {
  readonly #recorder: Recorder;
  #waiting: string[] = [];
  #waitingChars = 0;
  #isNoted = false;
  #hasBegun = false;
  readonly #numbers = new Set<string>();
  readonly #counts = new Map<string, number>();
  #codesNoted = 0;
  /** What the kit sent where no secret belongs, and what the server wrote before: any server may log it. */
  readonly #allowed = new Set<string>();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
    recorder.onEntry((entry) => this.#onEntry(entry));
  }

  readonly take = (line: string): void => {
    this.#waiting.push(line);
    this.#waitingChars += line.length;
    if (this.#waitingChars > MAX_WAITING_CHARS) this.#search();
  };

  #onEntry(entry: Entry): void {
    if (entry.kind === 'exchange') {
      this.#allowIn(entry.request.path);
      for (const [member] of entry.request.body.matchAll(PUBLIC_MEMBER)) this.#allowIn(member);
      if (!this.#hasBegun) this.#allowKnownAtStart();
      this.#hasBegun = true;
    }
    if (entry.kind === 'scenario' && entry.phase === 'end') this.#note();
  }

  #allowIn(text: string): void {
    for (const { value } of this.#secretsIn(text)) this.#allowed.add(value);
    for (const [number] of text.matchAll(NUMBER)) this.#allowed.add(number);
  }

  #secretsIn(text: string): Secret[] {
    return [...this.#recorder.knowledge.pseudonyms.secretsIn(text)].filter(isSought);
  }

  /** A server may tell at its start whom it knows: only what was typed in this run is looked for. */
  #allowKnownAtStart(): void {
    for (const value of this.#patientValuesIn(this.#waiting.join('\n'))) this.#allowed.add(value);
  }

  #patientValuesIn(text: string): string[] {
    const { patientData, formsOf } = this.#recorder.knowledge;
    const sought = [...patientData.keys()].filter((value) => !this.#allowed.has(value));
    return findCanaries(text, sought, formsOf).map(({ value }) => value);
  }

  /** Notes what was found since the last note. The first note only says that the output is read. */
  #note(): void {
    this.#search();
    const codes = this.#codesWritten();
    if (codes > this.#codesNoted) this.#counts.set('a one-time code', codes - this.#codesNoted);
    this.#codesNoted = codes;
    if (this.#isNoted && this.#counts.size === 0) return;
    this.#recorder.observation({ scenario: '', label: SERVER_OUTPUT }, Object.fromEntries(this.#counts));
    this.#isNoted = true;
    this.#counts.clear();
  }

  #search(): void {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#waitingChars = 0;
    // Most output has no patient in it: one search for all lines, and one for each line only then.
    const hasPatient = this.#patientValuesIn(lines.join('\n')).length > 0;
    for (const line of lines) for (const kind of this.#kindsIn(line, hasPatient)) this.#count(kind);
  }

  #kindsIn(line: string, hasPatient: boolean): Set<string> {
    const { patientData, internalPassword, passwordForms } = this.#recorder.knowledge;
    const texts = [line, ...decodedTexts(line)];
    for (const [number] of texts.flatMap((text) => [...text.matchAll(NUMBER)]))
      if (this.#numbers.size < MAX_NUMBERS) this.#numbers.add(number);
    const secrets = texts
      .flatMap((text) => this.#secretsIn(text))
      .filter(({ value }) => !this.#allowed.has(value));
    const patient = hasPatient ? this.#patientValuesIn(line) : [];
    const hasPassword = isTellingPassword(internalPassword) && hasForm(line, passwordForms);
    return new Set([
      ...secrets.flatMap(({ kind }) => NAMED[kind] ?? []),
      ...patient.map((value) => `the ${patientData.get(value)} of a patient`),
      ...(hasPassword ? ['the internal password'] : []),
    ]);
  }

  #count(kind: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  /** How many different codes stand in the output; 0 where chance may explain them, as with ports. */
  #codesWritten(): number {
    const codes = [...this.#recorder.knowledge.codes.keys()].filter((code) => !this.#allowed.has(code));
    const lengths = new Set(codes.map((code) => code.length));
    const ofLength = (values: Iterable<string>, length: number) =>
      [...values].filter((value) => value.length === length);
    return [...lengths].reduce((sum, length) => {
      const own = ofLength(codes, length);
      const found = own.filter((code) => this.#numbers.has(code)).length;
      const byChance = (own.length * ofLength(this.#numbers, length).length) / 10 ** length;
      return found > 1 + MIN_TIMES_CHANCE * byChance ? sum + found : sum;
    }, 0);
  }
}

/** One number may be a code by chance, and so may as many as chance explains: a leak shows more. */
const MIN_TIMES_CHANCE = 3;

/** The counts of all notes together, by kind. */
export function outputFound(notes: readonly ObservationEntry[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { values } of notes)
    for (const [kind, count] of Object.entries(values)) sums.set(kind, (sums.get(kind) ?? 0) + Number(count));
  return sums;
}

/** The kinds that are looked for, with their names. Users and phones are no secrets. */
const NAMED: Partial<Record<SecretKind, string>> = {
  'session-token': 'a session token',
  'exchange-token': 'an exchange token',
  'user-sign': 'a user_sign',
  digest: 'a digest',
};

/** Shorter values may occur by chance. */
const MIN_CHARS = 6;

/** Whether a value of a named kind can only be the secret: it has letters and digits, or is a long number. */
const isSought = ({ kind, value }: Secret) =>
  NAMED[kind] !== undefined &&
  value.length >= MIN_CHARS &&
  /\d/.test(value) &&
  (/\p{L}/u.test(value) || value.length >= 12);
