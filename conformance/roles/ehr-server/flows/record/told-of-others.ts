/** Checks of the kit's notes: what replies tell of somebody else, and patients who stay linked. */
import type { Check } from '../../../../engine/check/check.ts';
import type { Judgement, Shown } from '../../../../engine/check/steps.ts';
import type { ObservationEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { checkOfAll, type EhrScenario } from '../../check.ts';
import { SIGN_OF_OTHER } from '../../world/belongings.ts';
import { PATIENT_HELD } from '../../world/leftovers.ts';
import { METHODS } from '../../world/messages.ts';
import { REPLIES_SEARCHED } from '../../world/world.ts';
import { OWN_SIGNATURES } from '../internal-channel/signatures.ts';

export function toldOfOthers(played: readonly EhrScenario[]): Check {
  const scenarios = played.map(({ id }) => id);
  return checkOfAll({
    id: 'replies-tell-nothing-of-others',
    title: 'No reply tells a user, a token, a user_sign or a record that belongs to somebody else',
    requirements: ['X-others-untold'],
    scenarios,
    judge: (journal) => judged(journal, scenarios),
    advice:
      'Put into a reply what belongs to the user of the call, and name no other user or patient in an error.',
  });
}

const notesIn = (journal: JournalView, scenarios: readonly string[]) =>
  scenarios.flatMap((scenario) => journal.observations({ scenario, label: REPLIES_SEARCHED }));

const isTelling = ({ values }: ObservationEntry) => values.told !== '';

function judged(journal: JournalView, scenarios: readonly string[]): Judgement {
  const searched = notesIn(journal, scenarios).filter(({ values }) => Number(values.searched) > 0);
  if (searched.length === 0) return { notApplicable: 'no reply was searched' };
  const found = searched.filter(isTelling);
  const [first] = found;
  if (!first) return { right: searched.flatMap((each): Shown[] => firstStep(journal, each)) };
  const steps = found.flatMap(({ scenario, values }) =>
    journal.steps({ scenario, label: String(values.step) }),
  );
  // One step for each thing that was told: what was told counts, and not how often.
  const stepOf = new Map([...found].reverse().map(({ values }) => [values.told, values.step]));
  const words = [...stepOf].reverse().map(([told, step]) => `${told} (at "${step}")`);
  const isSignAlone = stepOf.size === 1 && stepOf.has(SIGN_OF_OTHER);
  return {
    expected: 'replies about the user of the call alone',
    actual: `${words.slice(0, 3).join('; ')} (${found.length} times)`,
    shownBy: steps.length > 0 ? steps : journal.stepsOf({ id: first.scenario }),
    // The very advice of the check that finds signatures which are not of one user: it is one fault.
    ...(isSignAlone && { advice: OWN_SIGNATURES }),
  };
}

const firstStep = (journal: JournalView, { scenario }: ObservationEntry) =>
  journal.stepsOf({ id: scenario }).slice(0, 1);

/** Creates the check. A later scenario that meets a linked patient is played again with another patient. */
export const patientsLetGo = (scenarios: readonly EhrScenario[]): Check =>
  checkOfAll({
    id: 'patients-let-go',
    title:
      'A patient is linked to the user whom the exchange token names, and free again when that link is removed',
    requirements: ['K-patient-let-go'],
    scenarios: scenarios.map(({ id }) => id),
    judge: judgeHeld,
    advice:
      'Look at that scenario: authenticate linked a user whom its exchange token does not name, or a removal left the link. If somebody else uses these patients, name others in the file.',
  });

function judgeHeld(journal: JournalView): Judgement {
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
