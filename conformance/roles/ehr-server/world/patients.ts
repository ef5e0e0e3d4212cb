/** The patients of the file: each is lent to one scenario at a time, because a patient has one link. */
import type { KnownPerson } from '../settings.ts';

export class Patients {
  readonly #free: KnownPerson[];
  readonly #waiting: ((person: KnownPerson | undefined) => void)[] = [];
  readonly #keptFor = new Map<KnownPerson, string>();
  /** Patients whom the server keeps linked to somebody, with the scenario in whose wake that is so. */
  readonly #held = new Map<KnownPerson, string>();
  /** The scenario that had a patient last. */
  readonly #lastOf = new Map<KnownPerson, string>();
  /** Failed matches so far, by phone: a server allows some in an hour. */
  readonly #failures = new Map<string, number>();
  #lent = 0;

  constructor(people: readonly KnownPerson[]) {
    this.#free = [...people];
  }

  /** Lends a patient who fits; waits while all of them are lent. Undefined: nobody fits, or all are lost. */
  async take(fits: (person: KnownPerson) => boolean = () => true): Promise<KnownPerson | undefined> {
    const [fitting] = this.#free.filter(fits).sort((a, b) => this.failuresOf(a) - this.failuresOf(b));
    if (fitting) {
      this.#lent++;
      this.#free.splice(this.#free.indexOf(fitting), 1);
      return fitting;
    }
    // With fewer patients than the file names, a scenario could wait for those that it has itself.
    if (this.#lent === 0 || this.#free.length > 0 || this.#held.size > 0) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Takes a patient out of service. Returns the scenario in whose wake the link is there. */
  hold(person: KnownPerson): string | undefined {
    // The patient of a known user stays in service: that user can link the patient again.
    const since = this.#keptFor.has(person) ? undefined : this.#lastOf.get(person);
    if (since !== undefined) this.#held.set(person, since);
    return since;
  }

  /** The scenario since which the server holds somebody who fits. */
  heldSince(fits: (person: KnownPerson) => boolean = () => true): string | undefined {
    const held = [...this.#held];
    const found = held.find(([person]) => fits(person)) ?? (this.#free.length === 0 ? held[0] : undefined);
    return found?.[1];
  }

  /** Takes a patient back from a scenario. One who is held is lent no more. */
  giveBack(person: KnownPerson, scenario: string): void {
    if (this.#held.has(person)) {
      this.#lent--;
      for (const wake of this.#waiting.splice(0)) wake(undefined);
      return;
    }
    this.#lastOf.set(person, scenario);
    const next = this.#waiting.shift();
    if (next) next(person);
    else {
      this.#lent--;
      this.#free.push(person);
    }
  }

  noteFailure(phone: unknown): void {
    this.#failures.set(String(phone), (this.#failures.get(String(phone)) ?? 0) + 1);
  }

  failuresOf({ phone }: KnownPerson): number {
    return this.#failures.get(phone) ?? 0;
  }

  /** Notes that the server did not let a patient go: from now on only this user can link them. */
  keepFor(person: KnownPerson, user: string): void {
    this.#keptFor.set(person, user);
  }

  /** The user whom a patient stayed linked to, if the server did not let go. */
  holderOf(person: KnownPerson): string | undefined {
    return this.#keptFor.get(person);
  }
}

/** Returns the properties that identify a patient, as authenticate takes them (§2.5). */
export function propertiesOf({ name, surname, date, phone, gender }: KnownPerson): Record<string, unknown> {
  return { name, surname, date: `${date} 00:00:00.000`, phone, ...(gender !== undefined && { gender }) };
}
