/**
 * Checks that sessions do not disturb each other: many users who link at the same time, and one user of whom
 * an older session logs out (§1 rules 4 and 8).
 */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { check } from '../flow.ts';
import { isDone } from '../step-values.ts';

/** The user for whose phone wrong codes are tried in the scenario `crowd`, between the sign-ins of others. */
export const GUESSED = 'Vic';

const LOGS_OUT = 'an older session logs out';
const NEWEST = 'the newest session asks for an exchange token after it';

/** Judges the end of the scenario `many-tokens`: one user has several sessions, and an older one logs out. */
export const newestOutlives = check({
  id: 'newest-outlives-older-logout',
  title: 'The newest session goes on when an older one logs out',
  requirements: ['K-session-of-its-own', 'K-session-ends'],
  judge(steps) {
    const shownBy = [steps.of(LOGS_OUT), steps.of(NEWEST)];
    const [ended, newest] = shownBy.map(({ result }) => result);
    if (ended?.kind === 'refused') return { notApplicable: 'the server keeps one session for each user' };
    for (const result of [ended, newest])
      if (result?.kind === 'failed' || result?.kind === 'absent')
        return { unclear: describe(result), shownBy };
    if (newest?.kind === 'done') return undefined;
    return {
      expected: 'the session that asks ends, and the newest goes on',
      actual: 'the newest session was ended by the logout of an older one',
      shownBy,
    };
  },
  advice: 'End the session by the token of the request, and not by its user.',
});

/** The label of the step, the same for all users of the crowd, in which a user reads their own record. */
const READ = 'crowd: get patient';

/** Judges whether everybody in the crowd who signed in could read their own record. */
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
  // The return at the end of the scenario is judged by another check.
  const bad = played.find((each) => !isDone(each) && each.step.label !== 'crowd: return');
  const why = ending?.stopped?.because ?? 'the others did not come so far';
  return {
    expected: `${signedIn.size} users read their record`,
    actual: `${read.size} did; ${bad ? `"${bad.step.label}" of ${bad.step.user}: ${describe(bad.result)}` : why}`,
    shownBy: bad ? [bad] : [],
    timeSensitive: true,
  };
}

/**
 * Creates the check of the crowd. `alone` is a scenario that links one user, whose steps it needs as a
 * control.
 */
export const crowdUnharmed = (alone: { readonly id: string }) =>
  check({
    id: 'crowd-unharmed',
    title: 'Many users at once are all linked, each with their own record',
    requirements: ['K-requests-apart'],
    also: [alone],
    judge: allRead,
    advice: 'Keep nothing of a request in variables that requests share.',
  });
