/** Lends the patients of the file, each to one scenario at a time: a patient can be linked to one user. */

import type { StepResult } from '../../../engine/journal/entry.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import type { KnownPerson } from '../settings.ts';

export class Patients {
  readonly #free: KnownPerson[];
  /** Each is woken with a patient, or with undefined: there is none to wait for. */
  readonly #waiting: ((person: KnownPerson | undefined) => void)[] = [];
  /** The key is a patient whose link the clean-up could not remove; the value is the user of that link. */
  readonly #keptFor = new Map<KnownPerson, string>();
  /** Patients out of service, because they stay linked to somebody; with the scenario that had them last. */
  readonly #held = new Map<KnownPerson, string>();
  readonly #lastOf = new Map<KnownPerson, string>();
  /** The key is a phone; the value counts its failed matches. A server allows a number of them in an hour. */
  readonly #failures = new Map<string, number>();
  #lent = 0;

  constructor(people: readonly KnownPerson[]) {
    this.#free = [...people];
  }

  /** Waits while every patient is lent. Undefined: nobody fits, or all who fit are out of service. */
  async take(fits: (person: KnownPerson) => boolean = () => true): Promise<KnownPerson | undefined> {
    const [fitting] = this.#free.filter(fits).sort((a, b) => this.#failuresOf(a) - this.#failuresOf(b));
    if (fitting) {
      this.#lent++;
      this.#free.splice(this.#free.indexOf(fitting), 1);
      return fitting;
    }
    // With a patient out of service nobody waits: a scenario could wait for a patient whom it has itself.
    if (this.#lent === 0 || this.#free.length > 0 || this.#held.size > 0) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Returns the earlier scenario that had the patient; undefined: the patient stays in service. */
  hold(person: KnownPerson): string | undefined {
    // That user can link the patient again.
    const since = this.#keptFor.has(person) ? undefined : this.#lastOf.get(person);
    if (since !== undefined) this.#held.set(person, since);
    return since;
  }

  /** Undefined: no patient who fits is out of service. */
  heldSince(fits: (person: KnownPerson) => boolean = () => true): string | undefined {
    const held = [...this.#held];
    const found = held.find(([person]) => fits(person)) ?? (this.#free.length === 0 ? held[0] : undefined);
    return found?.[1];
  }

  giveBack(person: KnownPerson, scenario: string): void {
    if (this.#held.has(person)) {
      this.#lent--;
      // Those who wait could wait for ever now: see take().
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

  retire(person: KnownPerson): void {
    const at = this.#free.indexOf(person);
    if (at >= 0) this.#free.splice(at, 1);
  }

  noteFailure(phone: unknown): void {
    this.#failures.set(String(phone), (this.#failures.get(String(phone)) ?? 0) + 1);
  }

  /** Whether an hour allows so many more failed matches with the phone of this person. */
  mayFail(person: KnownPerson, count: number): boolean {
    return this.#failuresOf(person) + count <= MAX_FAILURES_OF_PHONE;
  }

  #failuresOf({ phone }: KnownPerson): number {
    return this.#failures.get(phone) ?? 0;
  }

  /** Notes that the server did not remove this link: from now on only its user can link the patient. */
  keepFor(person: KnownPerson, user: string): void {
    this.#keptFor.set(person, user);
  }

  /** The user of a link that the server did not remove; undefined: the patient is free. */
  holderOf(person: KnownPerson): string | undefined {
    return this.#keptFor.get(person);
  }
}

export function propertiesOf({ name, surname, date, phone, gender }: KnownPerson) {
  return { name, surname, date: `${date} 00:00:00.000`, phone, ...(gender !== undefined && { gender }) };
}

const ALREADY_LINKED = '-34009';

export const PATIENT_HELD = 'patient still linked';

export const heldWords = (since: string): string =>
  `the patient whom it needs is still linked to somebody, since the scenario ${since}`;

/** Notes, for one scenario, who was refused as already linked, and whom the scenario itself linked. */
export class StillLinked {
  readonly #refused = new Set<KnownPerson>();
  readonly #linked = new Set<KnownPerson>();

  note(result: StepResult, person: KnownPerson | undefined): void {
    if (!person) return;
    if (result.kind === 'refused' && result.code === ALREADY_LINKED) this.#refused.add(person);
    if (result.kind === 'done') this.#linked.add(person);
  }

  /** Takes patients who were still linked out of service. Returns whether there was one. */
  hold(
    lent: readonly KnownPerson[],
    { patients, recorder }: { patients: Patients; recorder: Recorder },
    met: string,
  ): boolean {
    const held = [...this.#refused].filter((person) => lent.includes(person) && !this.#linked.has(person));
    const since = held.flatMap((person) => patients.hold(person) ?? []);
    for (const scenario of since) recorder.observation({ scenario, label: PATIENT_HELD }, { met });
    return since.length > 0;
  }
}

/** Codes of failed matches: patient_already_matched, patient_not_matched, patient_already_linked. */
export const FAILED_MATCHES: readonly (string | undefined)[] = ['-34000', '-34001', '-34009'];

/** Failed matches with one phone in a run: the 20 of an hour (decision 37), less six as a reserve. */
const MAX_FAILURES_OF_PHONE = 14;
