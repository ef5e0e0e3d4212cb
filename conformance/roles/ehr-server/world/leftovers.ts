/** Notices patients who are still linked to a user of an earlier scenario, which makes a later one fail. */
import type { StepResult } from '../../../engine/journal/entry.ts';
import type { KnownPerson } from '../settings.ts';
import type { WorldParts } from './world-parts.ts';

const ALREADY_LINKED = '-34009';

export const PATIENT_HELD = 'patient still linked';

export const heldWords = (since: string): string =>
  `the patient whom it needs is still linked to somebody, since the scenario ${since}`;

/** Notes, for one scenario, who was refused as already linked, and whom the scenario itself linked. */
export class Leftovers {
  readonly #refused = new Set<KnownPerson>();
  readonly #linked = new Set<KnownPerson>();

  note(result: StepResult, person: KnownPerson | undefined): void {
    if (!person) return;
    if (result.kind === 'refused' && result.code === ALREADY_LINKED) this.#refused.add(person);
    if (result.kind === 'done') this.#linked.add(person);
  }

  /** Takes patients who were still linked out of service. Returns whether there was one. */
  hold(lent: readonly KnownPerson[], { patients, recorder }: WorldParts, met: string): boolean {
    const held = [...this.#refused].filter((person) => lent.includes(person) && !this.#linked.has(person));
    const since = held.flatMap((person) => patients.hold(person) ?? []);
    for (const scenario of since) recorder.observation({ scenario, label: PATIENT_HELD }, { met });
    return since.length > 0;
  }
}
