/** Judges what a session's ttl promises: to its client, to the EHR server, and when it is over (§2.3). */

import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { SAVE_EXCHANGE_TOKEN, sentTo } from '../../internal-calls.ts';
import { fault, isDone, unclear, yielded } from '../step-values.ts';

const ID = 'session-time';
export const MINUTE_BEFORE = 'a minute before the end of the session';
export const LAST_MOMENT = 'half a minute before the end of the session';
export const SECONDS_BEFORE = 'a minute before the end, if the ttl counts seconds';
export const SECONDS_AFTER = 'a minute after the end, if the ttl counts seconds';
export const AT_LINK = 'Abe links: exchange token';
export const SIGN_IN = 'Abe signs in';

export const NOT_FOLLOWED = 'the session was not followed to its last minute';

/** The minutes that the client was told for the session whose end is tried. */
function toldTtl(journal: JournalView): number | undefined {
  const signIn = journal.step({ scenario: ID, label: SIGN_IN });
  const ttl = signIn && yielded(signIn, 'ttl');
  return ttl === undefined ? undefined : Number(ttl);
}

/** Explains why the end of a session was not tried. */
export function whyNotTried(journal: JournalView): string {
  return toldTtl(journal) === undefined
    ? 'the adapter extracts no ttl from the sign-in and has no step expireSession, so nobody knows when the session ends'
    : 'the adapter has neither a step advanceClock nor expireSession, and a whole session is not waited for';
}

/** A minute before its told end the session is served. */
export function livesAsTold(steps: Steps, journal: JournalView): Judgement {
  const before = steps.of(MINUTE_BEFORE);
  if (!steps.all(AT_LINK).some(isDone))
    return { unclear: 'the session got no exchange token at its beginning either' };
  if (isDone(before)) return undefined;
  const isInTime = steps.observed(MINUTE_BEFORE)?.isInTime === true;
  if (before.result.kind !== 'refused' || !isInTime)
    return unclear(`a minute before the end of the session: ${describe(before.result)}`, before);
  const [inSeconds, afterwards] = [steps.all(SECONDS_BEFORE), steps.all(SECONDS_AFTER)];
  const countsSeconds = inSeconds.some(isDone) && afterwards.some(({ result }) => result.kind === 'refused');
  const ttl = toldTtl(journal) ?? 0;
  return {
    expected: `a session that lives ${ttl} minutes, as its client was told`,
    actual: countsSeconds
      ? `it lives ${ttl} seconds: the ttl that is told counts seconds`
      : 'a minute before that it was refused',
    shownBy: [before, ...inSeconds, ...afterwards],
    // A clock that moves while the kit stands still may have ended the session.
    timeSensitive: true,
    ...(countsSeconds && {
      advice: 'ttl counts minutes, to the client and to the EHR server: divide by 60.',
    }),
  };
}

/** At the beginning the EHR server is sent the whole of the ttl. */
export function sendsAsTold(steps: Steps, journal: JournalView): Judgement {
  const played = steps.of(AT_LINK);
  const told = toldTtl(journal);
  if (told === undefined) return { notApplicable: 'the adapter extracts no ttl from the sign-in' };
  const save = savedWithTtl(played);
  if (!save) return { unclear: 'no call carried the ttl of the session', shownBy: [played] };
  const minutesPassed = (save.at - (steps.find(SIGN_IN)?.endedAt ?? save.at)) / 60_000;
  // A server may round a begun minute up or down.
  if (save.ttl <= told && save.ttl >= told - minutesPassed - 1) return undefined;
  return fault(`about ${told}, as the client was told a moment before`, `ttl is ${save.ttl}`, played);
}

/** The ttl that a step sent, with the call. */
export function savedWithTtl(played: PlayedStep): { ttl: number; at: number; seq: number } | undefined {
  return sentTo(played, SAVE_EXCHANGE_TOKEN)
    .map(({ at, seq, facts }) => ({ at, seq, ttl: facts.call?.ttl as number }))
    .find(({ ttl }) => ttl !== undefined);
}

const NO_TTL = (played: PlayedStep): Judgement =>
  unclear(`no ttl was sent to the EHR server (${describe(played.result)})`, played);

/** In the last minute a ttl of at least 1 is sent. */
export function sendsMinute(steps: Steps): Judgement {
  const played = steps.of(LAST_MOMENT);
  const sent = savedWithTtl(played);
  if (!sent) return NO_TTL(played);
  if (sent.ttl < 1)
    return {
      expected: 'at least 1, as long as the session lives',
      actual: `ttl is ${sent.ttl}`,
      shownBy: [played, sent],
    };
  if (isDone(played)) return undefined;
  return { unclear: `the request did not succeed (${describe(played.result)})`, shownBy: [played] };
}

/**
 * One minute is left, and a server may count the begun minute and round up. A clock that is moved for several
 * scenarios is not known to the minute, so what counts as the whole begins at half of what was told.
 */
const MAX_MINUTES_LEFT = 3;

/** A minute before the end what is left is sent, and not the whole. */
export function sendsRest(steps: Steps, journal: JournalView): Judgement {
  const played = steps.of(MINUTE_BEFORE);
  const sent = savedWithTtl(played);
  if (!sent) return NO_TTL(played);
  if (sent.ttl <= Math.max(MAX_MINUTES_LEFT, (toldTtl(journal) ?? 0) / 2)) return undefined;
  return fault('the one minute that is left, or one more', `ttl is ${sent.ttl}`, played, sent);
}
