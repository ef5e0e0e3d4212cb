/**
 * A check that an EHR server frees a patient when the link is removed. It has no scenario of its own: the kit
 * notices a patient who is still linked when a later scenario wants to link the same patient.
 */

import type { Check } from '../../../../engine/check/check.ts';
import type { Judgement } from '../../../../engine/check/steps.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { checkOfAll, type EhrScenario } from '../../check.ts';
import { PATIENT_HELD } from '../../world/leftovers.ts';
import { METHODS } from '../../world/messages.ts';

/** Creates the check. A later scenario that meets a linked patient is played again with another patient. */
export const patientsLetGo = (scenarios: readonly EhrScenario[]): Check =>
  checkOfAll({
    id: 'patients-let-go',
    title:
      'A patient is linked to the user whom the exchange token names, and free again when that link is removed',
    requirements: ['K-patient-let-go'],
    scenarios: scenarios.map(({ id }) => id),
    judge: judged,
    advice:
      'Look at that scenario: authenticate linked a user whom its exchange token does not name, or a removal left the link. If somebody else uses these patients, name others in the file.',
  });

/** Finds the scenarios that left a patient linked, by the notes of the kit in the journal. */
function judged(journal: JournalView): Judgement {
  const since = [...new Set(journal.observationsOf(PATIENT_HELD).map(({ scenario }) => scenario))];
  if (since.length === 0) {
    const links = journal.exchanges('client->ehr', METHODS.authenticate);
    return links.length === 0 ? { notApplicable: 'nobody was linked' } : { right: links };
  }
  return {
    expected: 'patients who are free when the links that the kit made are removed',
    actual: `a patient stays linked to somebody, since the scenario ${since.join(', and another since ')}`,
    shownBy: since.flatMap((id) => journal.stepsOf({ id })),
  };
}
