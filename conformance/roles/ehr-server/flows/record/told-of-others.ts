/**
 * A check that no reply of an EHR server in a run tells a user, token, user_sign or record of somebody else.
 */
import type { Check } from '../../../../engine/check/check.ts';
import type { Judgement, Shown } from '../../../../engine/check/steps.ts';
import type { ObservationEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { checkOfAll, type EhrScenario } from '../../check.ts';
import { SIGN_OF_OTHER } from '../../world/owned-values.ts';
import { REPLIES_SEARCHED } from '../../world/world.ts';
import { OWN_SIGNATURES } from '../internal-channel/signatures.ts';

/**
 * Creates the check. The kit searches each reply during the run; the check reads the notes of that search.
 */
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

/** Judges by the notes of all scenarios. */
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

/** The first step of a note's scenario, to show where nothing was found. */
const firstStep = (journal: JournalView, { scenario }: ObservationEntry) =>
  journal.stepsOf({ id: scenario }).slice(0, 1);
