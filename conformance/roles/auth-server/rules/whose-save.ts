/** Finds the sessions that were given to clients, and to which of them a save belongs. */
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../engine/journal/view.ts';
import { SAVE_AUTH_INFO, sentTo } from '../internal-calls.ts';

/** The EHR server accepted the save, and the kit disturbed it by no fault. */
export const isAcceptedSave = ({ facts, fault }: ExchangeEntry) =>
  facts.reply?.result === true && fault === undefined;

/** The person of a step on each device: the phone, or else scenario and user. */
export const personOf = ({ step }: PlayedStep): string => step.phone ?? `${step.scenario}\n${step.user}`;

/** A save of the session that `played` opened, or of its request for a code, that came before the step. */
export function savedEarly(journal: JournalView, played: PlayedStep): ExchangeEntry | undefined {
  const token = played.result.kind === 'done' ? played.result.values.token : undefined;
  const ofToken = (save: ExchangeEntry) => token !== undefined && save.facts.call?.token === token;
  return journal
    .exchanges('auth->ehr', SAVE_AUTH_INFO)
    .find((save) => save.seq < played.step.seq && (ofToken(save) || isAtRequestOf(journal, save, played)));
}

function isAtRequestOf(journal: JournalView, save: ExchangeEntry, played: PlayedStep): boolean {
  const requests = journal
    .allSteps('requestOtp')
    .filter((request) => personOf(request) === personOf(played) && request.step.seq < played.step.seq);
  return journal.stepOf(save) !== undefined && journal.stepOf(save) === requests.at(-1);
}

/** Whether a save comes late: the person's last sign-in or report should have sent it, and did not. */
export function isLate(journal: JournalView, save: ExchangeEntry, person: string): boolean {
  const mine = (each: PlayedStep) => personOf(each) === person && each.step.seq < save.seq;
  const before = [...journal.allSteps('confirmOtp'), ...journal.allSteps('reportLink')]
    .filter((each) => mine(each) && each.result.kind === 'done' && Math.max(...each.evidence) < save.seq)
    .sort((a, b) => a.step.seq - b.step.seq)
    .at(-1);
  if (!before || sentTo(before, SAVE_AUTH_INFO).some(({ seq }) => seq !== save.seq)) return false;
  return before.step.step === 'reportLink' || journal.allSteps('authenticate').some(mine);
}

/** A session: its sign-in, and user and token of its authInfo, or ''. */
export type GivenSession = { played: PlayedStep; user: string; token: string };

export function sessionsOf(journal: JournalView): GivenSession[] {
  return journal.allSteps('confirmOtp').flatMap((played) => {
    if (played.result.kind !== 'done') return [];
    const { user = '', token = '' } = played.result.values;
    return [{ played, user, token }];
  });
}
