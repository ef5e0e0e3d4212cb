/**
 * Finds the sessions that the authorization server gave to clients in a run, for the rules that compare them.
 */
import type { JournalView, PlayedStep } from '../../../engine/journal/view.ts';

/**
 * A session: the sign-in that gave it, and the user and the token of its authInfo ('' where none was
 * extracted).
 */
export type GivenSession = { played: PlayedStep; user: string; token: string };

/** Returns the sessions of all successful sign-ins, in the order of the journal. */
export function sessionsOf(journal: JournalView): GivenSession[] {
  return journal
    .allSteps('confirmOtp')
    .flatMap((played) =>
      played.result.kind === 'done'
        ? [{ played, user: played.result.values.user ?? '', token: played.result.values.token ?? '' }]
        : [],
    );
}
