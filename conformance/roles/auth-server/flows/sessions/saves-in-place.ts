/**
 * Judges when the authorization server saves sessions and exchange tokens at the EHR server: only in the
 * steps that they belong to, and a session only after its code was confirmed (§1).
 */

import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN, sentTo } from '../../internal-calls.ts';
import { sessionsOf } from '../../rules/given-sessions.ts';
import { isLate, personOf } from '../../rules/whose-save.ts';
import { isDone, unclear, yielded } from '../step-values.ts';

/** Whether the EHR server accepted the call, and the kit had put no fault into it. */
const isAccepted = ({ facts, fault }: ExchangeEntry) => facts.reply?.result === true && fault === undefined;

/** Judges whether a session was saved before its code was confirmed. */
export function savesNoneEarly(journal: JournalView): Judgement {
  const expected = 'save_auth_info only after the code was confirmed';
  // The sign-in that opened each session, by the session's token.
  const given = new Map(sessionsOf(journal).map(({ token, played }) => [token, played]));
  for (const save of journal.exchanges('auth->ehr', SAVE_AUTH_INFO)) {
    const confirmation = given.get(save.facts.call?.token ?? '');
    if (confirmation && save.seq < confirmation.step.seq)
      return { expected, actual: 'it came before the code was confirmed', shownBy: [save, confirmation] };
    const played = journal.stepOf(save);
    if (played?.step.step === 'requestOtp' && !isLate(journal, save, personOf(played)))
      return {
        expected,
        actual: 'it came before the code was confirmed: when it was requested',
        shownBy: [played],
      };
  }
  return undefined;
}

/**
 * Judges the scenario `whose-session`: a wrong code must save no session; that the right one does is the
 * control.
 */
export function savesAtRightCode(steps: Steps): Judgement {
  const wrong = steps.find('returns with a wrong code');
  if (wrong && !isDone(wrong) && sentTo(wrong, SAVE_AUTH_INFO).length > 0)
    return {
      expected: 'save_auth_info only after the code was confirmed',
      actual: 'it came before the code was compared: the code was wrong',
      shownBy: [wrong],
    };
  const right = steps.of('returns with the right code');
  if (sentTo(right, SAVE_AUTH_INFO).some(isAccepted)) return undefined;
  return unclear('the sign-in with the right code saved no session, so nothing shows when one is', right);
}

/**
 * The steps in which a call is allowed, by its method. Saves at a request for a code have a judgement of
 * their own.
 */
const PLACES: ReadonlyMap<string, readonly string[]> = new Map([
  [SAVE_AUTH_INFO, ['confirmOtp', 'reportLink', 'requestOtp']],
  [SAVE_EXCHANGE_TOKEN, ['exchangeToken']],
]);

/** Judges whether each call came in a step it belongs to. A call that a slow server sent later is allowed. */
export function savesInOwnSteps(journal: JournalView): Judgement {
  const given = new Set(journal.allSteps('exchangeToken').map((played) => yielded(played, 'exchangeToken')));
  for (const save of journal.internalCalls) {
    const [played, call] = [journal.stepOf(save), save.facts.call];
    const places = PLACES.get(call?.method ?? '');
    if (!played || !places || places.includes(played.step.step)) continue;
    const late =
      call?.method === SAVE_AUTH_INFO
        ? isLate(journal, save, personOf(played))
        : given.has(call?.exchangeToken ?? '');
    if (late) continue;
    return {
      expected:
        'save_auth_info at a sign-in or a report, save_exchange_token at a request for an exchange token',
      actual: `${call?.method} was sent at "${played.step.label}"`,
      shownBy: [played],
    };
  }
  return undefined;
}
