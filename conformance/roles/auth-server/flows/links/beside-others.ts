/** Checks that users who link at the same time do not disturb each other. */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { check } from '../flow.ts';
import { isDone, timedFault } from '../step-values.ts';

export const GUESSED = 'Vic';

const READ = 'crowd: get patient';

function allRead(steps: Steps, journal: JournalView): Judgement {
  const ending = journal.ending('crowd');
  // Ends the judgement as not applicable or inconclusive if the scenario was not played.
  if (!ending || ending.absent) steps.of(READ);
  const played = steps.own().filter(({ step }) => step.user !== GUESSED);
  const signedIn = new Set(played.map(({ step }) => step.user));
  const read = new Set(steps.all(READ).flatMap((each) => (isDone(each) ? [each.step.user] : [])));
  // Other scenarios link one user at a time. If even that fails, a failure in the crowd shows nothing new.
  const linkedAlone = journal
    .allSteps('authenticate')
    .some((each) => each.step.scenario !== 'crowd' && isDone(each));
  if (!linkedAlone) return { unclear: 'no user who was alone could be linked either' };
  if (signedIn.size > 0 && read.size === signedIn.size) return undefined;
  const bad = played.find((each) => !isDone(each));
  const why = ending?.stopped?.because ?? 'the others did not come so far';
  return timedFault(
    `${signedIn.size} users read their record`,
    `${read.size} did; ${bad ? `"${bad.step.label}" of ${bad.step.user}: ${describe(bad.result)}` : why}`,
    ...(bad ? [bad] : []),
  );
}

export const crowdUnharmed = (alone: { readonly id: string }) =>
  check({
    id: 'crowd-unharmed',
    title: 'Many users at once are all linked, each with their own record',
    requirements: ['K-requests-apart'],
    also: [alone],
    judge: allRead,
    advice: 'Keep nothing of a request in variables that requests share.',
  });
