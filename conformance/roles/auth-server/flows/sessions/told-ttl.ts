/** Judges the ttl that the client is told and that the EHR server is sent (§2.3). */

import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { SAVE_EXCHANGE_TOKEN, sentTo } from '../../internal-calls.ts';
import { fault, isDone, unclear, wasTold, yielded } from '../step-values.ts';

const ID = 'session-time';
export const MINUTE_BEFORE = 'a minute before the end of the session';
export const SECONDS_BEFORE = 'a minute before the end, if the ttl counts seconds';
export const SECONDS_AFTER = 'a minute after the end, if the ttl counts seconds';
export const AT_LINK = 'Abe links: exchange token';
export const SIGN_IN = 'Abe signs in';

/** The ttl (minutes) that the client was told at the sign-in; undefined where it was told none. */
function toldTtl(journal: JournalView): number | undefined {
  const signIn = journal.step({ scenario: ID, label: SIGN_IN });
  const ttl = signIn && yielded(signIn, 'ttl');
  return ttl === undefined ? undefined : Number(ttl);
}

/** Says in words why the end of a session was not tried. */
export function whyNotTried(journal: JournalView): string {
  return toldTtl(journal) === undefined
    ? 'the adapter extracts no ttl from the sign-in and has no step expireSession, so nobody knows when the session ends'
    : 'the adapter has neither a step advanceClock nor expireSession, and a whole session is not waited for';
}

function toldInSeconds(steps: Steps): boolean {
  const [before, after] = [steps.all(SECONDS_BEFORE), steps.all(SECONDS_AFTER)];
  return before.some(isDone) && after.some(wasTold);
}

export function livesAsTold(steps: Steps, journal: JournalView): Judgement {
  const before = steps.of(MINUTE_BEFORE);
  if (!steps.all(AT_LINK).some(isDone))
    return { unclear: 'the session got no exchange token at its beginning either' };
  if (isDone(before)) return undefined;
  const isInTime = steps.observed(MINUTE_BEFORE)?.isInTime === true;
  if (before.result.kind !== 'refused' || !isInTime)
    return unclear(`a minute before the end of the session: ${describe(before.result)}`, before);
  const countsSeconds = toldInSeconds(steps);
  const ttl = toldTtl(journal) ?? 0;
  return {
    expected: `a session that lives ${ttl} minutes, as its client was told`,
    actual: countsSeconds
      ? `it lives ${ttl} seconds: the ttl that is told counts seconds`
      : 'a minute before that it was refused',
    shownBy: [before, ...steps.all(SECONDS_BEFORE), ...steps.all(SECONDS_AFTER)],
    // If the kit was held up, the server's clock went on, and the session may have ended rightly.
    timeSensitive: true,
    ...(countsSeconds && {
      advice: 'A ttl counts minutes: divide what the client is told by 60, or call it otherwise.',
    }),
  };
}

/** What can be said where no ttl was told: the sign-in itself may have failed. */
const untold = (steps: Steps): Judgement =>
  isDone(steps.of(SIGN_IN))
    ? { notApplicable: 'the adapter extracts no ttl from the sign-in' }
    : unclear('the sign-in that tells the ttl did not succeed', steps.of(SIGN_IN));

/** Another number than the client was told may be right, but not another unit. */
export function countsMinutes(steps: Steps, journal: JournalView): Judgement {
  const played = steps.of(AT_LINK);
  const told = toldTtl(journal);
  if (told === undefined) return untold(steps);
  const save = savedWithTtl(played);
  if (!save) return unclear('no call carried the ttl of the session', played);
  const real = toldInSeconds(steps) ? told / 60 : told;
  const unit = unitOf(save.ttl / real, save.ttl, steps.all(MINUTE_BEFORE).some(isDone));
  if (unit === undefined) return undefined;
  return fault(`about ${Math.ceil(real)}, the minutes of the session`, `ttl is ${save.ttl}: ${unit}`, played);
}

/** `isTrue`: the session was seen to live as many minutes as were told. */
function unitOf(factor: number, ttl: number, isTrue: boolean): string | undefined {
  const isNear = (other: number) => Math.abs(factor / other - 1) < MARGIN;
  if (isNear(60)) return 'it counts seconds';
  if (factor >= 1_000) return 'it counts milliseconds, or is a date';
  // A lower ttl may be the bound of a server, but hardly one of less than an hour at just this part.
  return isTrue && ttl < 60 && isNear(1 / 60) ? 'it counts hours' : undefined;
}

/** How much a ttl may be off a unit: a begun hour or minute is counted. */
const MARGIN = 0.1;

/** The ttl (minutes) that a step sent, with the time and number of the call. */
export function savedWithTtl(played: PlayedStep): { ttl: number; at: number; seq: number } | undefined {
  return sentTo(played, SAVE_EXCHANGE_TOKEN)
    .map(({ at, seq, facts }) => ({ at, seq, ttl: facts.call?.ttl as number }))
    .find(({ ttl }) => ttl !== undefined);
}
