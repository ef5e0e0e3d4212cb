/** Patients whom a wrong server still links to a user of an earlier scenario. */
import type { StepResult } from '../../../engine/journal/entry.ts';
import type { KnownPerson } from '../settings.ts';
import type { WorldParts } from './world-parts.ts';

const ALREADY_LINKED = '-34009';

/** The label under which the journal keeps that a patient of a scenario is still linked. */
export const PATIENT_HELD = 'patient still linked';

export const heldWords = (since: string): string =>
  `the patient whom it needs is still linked to somebody, since the scenario ${since}`;

/** What one scenario met. */
export class Leftovers {
  readonly #refused = new Set<KnownPerson>();
  /** Those whom this scenario itself linked, at whatever time. */
  readonly #linked = new Set<KnownPerson>();

  note(result: StepResult, person: KnownPerson | undefined): void {
    if (!person) return;
    if (result.kind === 'refused' && result.code === ALREADY_LINKED) this.#refused.add(person);
    if (result.kind === 'done') this.#linked.add(person);
  }

  /**
   * Takes the patients out of service, and notes it in the scenario that had them before. What failed for
   * that reason is no fault of this scenario: it can be played again with another patient.
   */
  hold(lent: readonly KnownPerson[], { patients, recorder }: WorldParts, met: string): boolean {
    const held = [...this.#refused].filter((person) => lent.includes(person) && !this.#linked.has(person));
    const since = held.flatMap((person) => patients.hold(person) ?? []);
    for (const scenario of since) recorder.observation({ scenario, label: PATIENT_HELD }, { met });
    return since.length > 0;
  }
}
