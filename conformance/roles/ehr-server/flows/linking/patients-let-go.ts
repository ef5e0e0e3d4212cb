/** A patient whose link was removed is free: noticed where a later scenario wants to link that patient. */

import type { Check } from '../../../../engine/check/check.ts';
import type { Judgement } from '../../../../engine/check/steps.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { checkOfAll, type EhrCheck } from '../../check.ts';
import { PATIENT_HELD } from '../../world/leftovers.ts';
import { METHODS } from '../../world/messages.ts';

/** The check of what scenarios leave behind. Those that meet it are played with another patient. */
export const patientsLetGo = (checks: readonly EhrCheck[]): Check =>
  checkOfAll({
    id: 'patients-let-go',
    title:
      'A patient is linked to the user whom the exchange token names, and free again when that link is removed',
    requirements: ['D20-link-removed', 'D21-stored-user-only'],
    scenarios: checks.map(({ scenario }) => scenario.id),
    judge: judged,
    advice:
      'Look at that scenario: authenticate linked a user whom its exchange token does not name, or a removal left the link. If somebody else uses these patients, name others in the file.',
  });

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
