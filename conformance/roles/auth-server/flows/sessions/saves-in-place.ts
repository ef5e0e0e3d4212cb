/** Judges when sessions are saved: only after their code was confirmed (§1). */

import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { isLate, personOf, sessionsOf } from '../../rules/whose-save.ts';
import { fault, isDone, unclear } from '../step-values.ts';

const isAccepted = ({ facts, fault }: ExchangeEntry) => facts.reply?.result === true && fault === undefined;

export function savesNoneEarly(journal: JournalView): Judgement {
  const expected = 'save_auth_info only after the code was confirmed';
  // The sign-in that opened each session, by the session's token.
  const given = new Map(sessionsOf(journal).map(({ token, played }) => [token, played]));
  for (const save of journal.exchanges('auth->ehr', SAVE_AUTH_INFO)) {
    const confirmation = given.get(save.facts.call?.token ?? '');
    if (confirmation && save.seq < confirmation.step.seq)
      return fault(expected, 'it came before the code was confirmed', save, confirmation);
    const played = journal.stepOf(save);
    if (played?.step.step === 'requestOtp' && !isLate(journal, save, personOf(played)))
      return fault(expected, 'it came before the code was confirmed: when it was requested', played);
  }
  return undefined;
}

/** A wrong code must save no session; that the right one does is the control. */
export function savesAtRightCode(steps: Steps): Judgement {
  const wrong = steps.find('returns with a wrong code');
  if (wrong && !isDone(wrong) && sentTo(wrong, SAVE_AUTH_INFO).length > 0)
    return fault(
      'save_auth_info only after the code was confirmed',
      'it came before the code was compared: the code was wrong',
      wrong,
    );
  const right = steps.of('returns with the right code');
  if (sentTo(right, SAVE_AUTH_INFO).some(isAccepted)) return undefined;
  return unclear('the sign-in with the right code saved no session, so nothing shows when one is', right);
}
