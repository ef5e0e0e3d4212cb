/** The people of a run: each has a phone and is a patient of the kit's EHR server. */
import type { Patient } from '#protocol/wire/fields.ts';
import { PATIENT_COUNT, patientNumber } from './patients.ts';

export type Person = {
  readonly phone: string;
  readonly patient: Patient;
  /** Whether an earlier scenario linked them: then they are not new to the server under test. */
  linkedBefore: boolean;
};

export type PeopleParts = {
  /** The phone of this index, counted from 0. */
  phone: (index: number) => string;
  /** The number of phones. */
  count: number;
};

export class People {
  readonly #parts: PeopleParts;
  readonly #free: Person[] = [];
  readonly #waiting: { count: number; resolve: (people: Person[]) => void }[] = [];
  readonly #codesSent = new Map<string, number[]>();
  readonly #spent = new Set<string>();
  #made = 0;
  readonly #strangers = new Map<string, Patient>();

  constructor(parts: PeopleParts) {
    this.#parts = parts;
  }

  /** How many people can take part. */
  get count(): number {
    return this.#parts.count - this.#spent.size;
  }

  /** Removes a person who cannot be made new again. */
  spend(phone: string): void {
    this.#spent.add(phone);
    this.#serve();
  }

  /** Takes `count` people as soon as they are free. */
  take(count: number): Promise<Person[]> {
    return new Promise((resolve) => {
      this.#waiting.push({ count, resolve });
      this.#serve();
    });
  }

  /** Takes one more person if one is free now. */
  takeOneMore(): Person | undefined {
    return this.#available() > 0 ? this.#next() : undefined;
  }

  /**
   * The patient of a phone that is none of the run's. A phone keeps its patient when a scenario is replayed,
   * because the user may be linked to them by then.
   */
  patientOfStranger(phone: string): Patient {
    const known =
      this.#strangers.get(phone) ?? patientNumber(PATIENT_COUNT - 1 - (this.#strangers.size % PATIENT_COUNT));
    this.#strangers.set(phone, known);
    return known;
  }

  /** Gives people back. With plenty of phones nobody is used twice. */
  giveBack(people: readonly Person[]): void {
    if (Number.isFinite(this.#parts.count))
      this.#free.push(...people.filter(({ phone }) => !this.#spent.has(phone)));
    this.#serve();
  }

  /** Notes that a code was requested for a phone, by the clock of the server under test. */
  codeSentTo(phone: string, at: number): void {
    this.#codesSent.set(phone, [...this.codesTo(phone), at]);
  }

  /** When codes were requested for a phone, by the clock of the server under test, oldest first. */
  codesTo(phone: string): readonly number[] {
    return this.#codesSent.get(phone) ?? [];
  }

  /** How many codes were requested for all phones since a moment. */
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

  /** Prefers new people: those used before must be made new again. */
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
