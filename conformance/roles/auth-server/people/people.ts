/** The people of a run: each has a phone and is a patient. */
import type { Patient } from '#protocol/wire/fields.ts';
import { PATIENT_COUNT, patientNumber } from './patients.ts';

export type Person = {
  readonly phone: string;
  readonly patient: Patient;
  /** Whether an earlier scenario linked the person, who is then not new to the server under test. */
  linkedBefore: boolean;
};

type PeopleParts = {
  phone: (index: number) => string;
  /** The number of phones; infinite where the adapter file has a pattern with many phones. */
  count: number;
};

export class People {
  readonly #parts: PeopleParts;
  readonly #free: Person[] = [];
  readonly #waiting: { count: number; resolve: (people: Person[]) => void }[] = [];
  readonly #codesSent = new Map<string, number[]>();
  readonly #spent = new Set<string>();
  readonly #signedIn = new Set<string>();
  #made = 0;
  readonly #strangers = new Map<string, Patient>();

  constructor(parts: PeopleParts) {
    this.#parts = parts;
  }

  /** How many people can take part in the run at once; infinite where phones are plenty. */
  get count(): number {
    return this.#parts.count - this.#spent.size;
  }

  /** Removes the person with this phone, who cannot be made new again. */
  spend(phone: string): void {
    this.#spent.add(phone);
    this.#serve();
  }

  /** Whether the server may remember a link of this phone from an earlier run, which had the same list. */
  mayBeRemembered(phone: string): boolean {
    return Number.isFinite(this.#parts.count) && !this.#signedIn.has(phone);
  }

  signedIn(phone: string): void {
    this.#signedIn.add(phone);
  }

  /** Takes `count` people as soon as so many are free; fewer where the run has fewer. */
  take(count: number): Promise<Person[]> {
    return new Promise((resolve) => {
      this.#waiting.push({ count, resolve });
      this.#serve();
    });
  }

  /** Takes one person if one is free now; otherwise undefined. */
  takeOneMore(): Person | undefined {
    return this.#available() > 0 ? this.#next() : undefined;
  }

  /** Counted from the last patient down; a phone keeps its patient, to whom it may be linked. */
  patientOfStranger(phone: string): Patient {
    const known =
      this.#strangers.get(phone) ?? patientNumber(PATIENT_COUNT - 1 - (this.#strangers.size % PATIENT_COUNT));
    this.#strangers.set(phone, known);
    return known;
  }

  /** Gives people back for other scenarios. Where phones are plenty, nobody is used twice. */
  giveBack(people: readonly Person[]): void {
    if (Number.isFinite(this.#parts.count))
      this.#free.push(...people.filter(({ phone }) => !this.#spent.has(phone)));
    this.#serve();
  }

  /** `at` is a moment (ms) by the clock of the server under test. */
  codeSentTo(phone: string, at: number): void {
    this.#codesSent.set(phone, [...this.codesTo(phone), at]);
  }

  /** When (ms) codes were requested for a phone, by the clock of the server under test, oldest first. */
  codesTo(phone: string): readonly number[] {
    return this.#codesSent.get(phone) ?? [];
  }

  /** How many codes were requested for all phones since a moment (ms) of the same clock. */
  codesSince(moment: number): number {
    return [...this.#codesSent.values()].flat().filter((at) => at > moment).length;
  }

  #serve(): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      // A person may have been removed since the request.
      const count = Math.min(first.count, this.count);
      if (this.#available() < count) return;
      this.#waiting.shift();
      first.resolve(Array.from({ length: count }, () => this.#next()));
    }
  }

  #available(): number {
    return this.#free.length + this.#parts.count - this.#made;
  }

  /** The next free person: one who was not used before, as long as there are any. */
  #next(): Person {
    if (this.#made >= this.#parts.count) return this.#free.shift() as Person;
    const index = this.#made++;
    return {
      phone: this.#parts.phone(index),
      patient: patientNumber(index % PATIENT_COUNT),
      linkedBefore: false,
    };
  }
}
