/** Whom scenarios sign in: each person has a phone and is a patient of the kit's EHR server; where phones are few, they are used again. */
import type { Patient } from '#protocol/fields.ts';
import { PATIENTS, patientNumber } from '../servers/patients.ts';

export type Person = {
  readonly phone: string;
  readonly patient: Patient;
  /** Whether they were linked in an earlier scenario, so that they are not new to the server under test. */
  linkedBefore: boolean;
};

export type PeopleParts = {
  /** The phone of this index, counted from 0. */
  phone: (index: number) => string;
  /** So many phones there are. */
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

  /** So many can take part. */
  get count(): number {
    return this.#parts.count - this.#spent.size;
  }

  /** Somebody cannot be made new again, so they take part in nothing else. */
  spend(phone: string): void {
    this.#spent.add(phone);
    this.#serve();
  }

  /** Takes so many people, as soon as they are free. */
  take(count: number): Promise<Person[]> {
    return new Promise((resolve) => {
      this.#waiting.push({ count, resolve });
      this.#serve();
    });
  }

  /** Takes one person more, if there is one at this moment. */
  takeOneMore(): Person | undefined {
    return this.#available() > 0 ? this.#next() : undefined;
  }

  /**
   * A patient who is nobody else's: for somebody at a phone that is none of the run's people. At the same phone it is the
   * same patient, also when a scenario is played again: the user may be linked to them by then.
   */
  patientOfStranger(phone: string): Patient {
    const known = this.#strangers.get(phone) ?? patientNumber(PATIENTS - 1 - (this.#strangers.size % PATIENTS));
    this.#strangers.set(phone, known);
    return known;
  }

  /** Gives people back. Where phones are plenty, nobody is used twice. */
  giveBack(people: readonly Person[]): void {
    if (Number.isFinite(this.#parts.count)) this.#free.push(...people.filter(({ phone }) => !this.#spent.has(phone)));
    this.#serve();
  }

  /** A code was requested for a phone, by the time of the server under test. */
  codeSentTo(phone: string, at: number): void {
    this.#codesSent.set(phone, [...this.codesTo(phone), at]);
  }

  /** When codes were requested for a phone, by the time of the server under test, oldest first. */
  codesTo(phone: string): readonly number[] {
    return this.#codesSent.get(phone) ?? [];
  }

  /** How many codes were requested for all phones together since a moment. */
  codesSince(moment: number): number {
    return [...this.#codesSent.values()].flat().filter((at) => at > moment).length;
  }

  #serve(): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      // Somebody may have been spent since it was asked for.
      const count = Math.min(first.count, this.count);
      if (this.#available() < count) return;
      this.#waiting.shift();
      first.resolve(Array.from({ length: count }, () => this.#next()));
    }
  }

  #available(): number {
    return this.#free.length + this.#parts.count - this.#made;
  }

  /** New people first: those who were used before must be made new again. */
  #next(): Person {
    if (this.#made >= this.#parts.count) return this.#free.shift() as Person;
    const index = this.#made++;
    return { phone: this.#parts.phone(index), patient: patientNumber(index % PATIENTS), linkedBefore: false };
  }
}
