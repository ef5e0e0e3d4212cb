/** What clients were given in a run: the sessions of their sign-ins. */
import type { JournalView, PlayedStep } from '../journal/view.ts';

export type GivenSession = { played: PlayedStep; user: string; token: string };

/** Sessions as clients were given them, in order. */
export function sessionsOf(journal: JournalView): GivenSession[] {
  return journal
    .allSteps('confirmOtp')
    .flatMap((played) =>
      played.result.kind === 'done'
        ? [{ played, user: played.result.values.user ?? '', token: played.result.values.token ?? '' }]
        : [],
    );
}
