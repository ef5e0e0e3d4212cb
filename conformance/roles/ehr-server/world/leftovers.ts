/**
 * Notices patients whom the EHR server still links to a user of an earlier scenario. A patient can be linked
 * to one user at a time, so such a patient makes a later scenario fail without a fault of its own.
 */
import type { StepResult } from '../../../engine/journal/entry.ts';
import type { KnownPerson } from '../settings.ts';
import type { WorldParts } from './world-parts.ts';

/** The code of patient_already_linked. */
const ALREADY_LINKED = '-34009';

/** The label under which the journal keeps that a patient of a scenario is still linked. */
export const PATIENT_HELD = 'patient still linked';

/**
 * Says why a scenario cannot be played: its patient is still linked.
 * @param since id of the scenario that left the patient linked
 */
export const heldWords = (since: string): string =>
  `the patient whom it needs is still linked to somebody, since the scenario ${since}`;

/** Notes, for one scenario, who was refused as already linked, and whom the scenario itself linked. */
export class Leftovers {
  readonly #refused = new Set<KnownPerson>();
  /** Patients whom this scenario linked, whether or not their links were removed since. */
  readonly #linked = new Set<KnownPerson>();

  /** Notes the result of an authenticate. `person` is undefined where the properties are of nobody. */
  note(result: StepResult, person: KnownPerson | undefined): void {
    if (!person) return;
    if (result.kind === 'refused' && result.code === ALREADY_LINKED) this.#refused.add(person);
    if (result.kind === 'done') this.#linked.add(person);
  }

  /**
   * Takes the patients who were still linked out of service: no later scenario gets them. Notes this in the
   * journal under the earlier scenario that used the patient last.
   * @param lent the patients whom this scenario has
   * @param met id of this scenario
   * @returns whether there was such a patient. This scenario is then played again with another patient.
   */
  hold(lent: readonly KnownPerson[], { patients, recorder }: WorldParts, met: string): boolean {
    const held = [...this.#refused].filter((person) => lent.includes(person) && !this.#linked.has(person));
    const since = held.flatMap((person) => patients.hold(person) ?? []);
    for (const scenario of since) recorder.observation({ scenario, label: PATIENT_HELD }, { met });
    return since.length > 0;
  }
}
