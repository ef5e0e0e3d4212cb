/** The sessions that clients were given in a run. */
import type { JournalView, PlayedStep } from '../../../engine/journal/view.ts';

export type GivenSession = { played: PlayedStep; user: string; token: string };

/** Returns the sessions of all successful sign-ins, in order. */
export function sessionsOf(journal: JournalView): GivenSession[] {
  return journal
    .allSteps('confirmOtp')
    .flatMap((played) =>
      played.result.kind === 'done'
        ? [{ played, user: played.result.values.user ?? '', token: played.result.values.token ?? '' }]
        : [],
    );
}
