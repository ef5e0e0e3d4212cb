/**
 * Finds the sessions that the authorization server gave to clients, and assigns a save_auth_info: whose session
 * was saved, and whether the call came early, in the step that it belongs to, or late.
 */

import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../engine/journal/view.ts';
import { SAVE_AUTH_INFO, sentTo } from '../internal-calls.ts';

/**
 * A key for the person of a step, the same on each of their devices: the phone, or scenario and user without
 * one.
 */
export const personOf = ({ step }: PlayedStep): string => step.phone ?? `${step.scenario}\n${step.user}`;

/** Finds the save of a sign-in's session, or one at the request of its code, that came before the sign-in. */
export function savedEarly(journal: JournalView, played: PlayedStep): ExchangeEntry | undefined {
  const token = played.result.kind === 'done' ? played.result.values.token : undefined;
  const ofToken = (save: ExchangeEntry) => token !== undefined && save.facts.call?.token === token;
  return journal
    .exchanges('auth->ehr', SAVE_AUTH_INFO)
    .find((save) => save.seq < played.step.seq && (ofToken(save) || isAtRequestOf(journal, save, played)));
}

/** Whether a save came in the last request of a code before this sign-in. */
function isAtRequestOf(journal: JournalView, save: ExchangeEntry, played: PlayedStep): boolean {
  const requests = journal
    .allSteps('requestOtp')
    .filter((request) => personOf(request) === personOf(played) && request.step.seq < played.step.seq);
  return journal.stepOf(save) !== undefined && journal.stepOf(save) === requests.at(-1);
}

/**
 * Whether a save belongs to an earlier step and came too late. So it is where the person's last sign-in or
 * report ended without any other save, and should have had one: as a report, or as the sign-in of a linked
 * user.
 */
export function isLate(journal: JournalView, save: ExchangeEntry, person: string): boolean {
  const mine = (each: PlayedStep) => personOf(each) === person && each.step.seq < save.seq;
  const before = [...journal.allSteps('confirmOtp'), ...journal.allSteps('reportLink')]
    .filter((each) => mine(each) && each.result.kind === 'done' && Math.max(...each.evidence) < save.seq)
    .reduce<PlayedStep | undefined>(
      (last, each) => (last && last.step.seq > each.step.seq ? last : each),
      undefined,
    );
  if (!before || sentTo(before, SAVE_AUTH_INFO).some(({ seq }) => seq !== save.seq)) return false;
  return before.step.step === 'reportLink' || journal.allSteps('authenticate').some(mine);
}

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
