/**
 * Expectations of checks about ended sessions: an ended session is refused, and sessions on other devices of
 * the user go on.
 */

import type { Judgement } from '../../../engine/check/steps.ts';
import { describe } from '../../../engine/journal/describe-result.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { SAVE_EXCHANGE_TOKEN, sentTo } from '../internal-calls.ts';
import { refused } from './flow.ts';
import { isDone } from './step-values.ts';

/**
 * Expects that a step with an ended session is refused, and that nothing is sent to the EHR server for it.
 */
export const endedRefused = refused('the ended session is refused', { nothingSent: true });

/** The advice of checks that an ended session is refused. */
export const END_WHERE_VERIFIED =
  'End the session where it is verified, before the client is told that it has ended.';

/** Judges the step `after`, which uses the session after the event that `actual` names. */
export function endedBy(actual: string, after: PlayedStep): Judgement {
  if (isDone(after)) return undefined;
  // A server that has ended the session sends no save for it.
  if (sentTo(after, SAVE_EXCHANGE_TOKEN).some(({ facts }) => !facts.reply?.result))
    return { unclear: 'the EHR server did not acknowledge the exchange token', shownBy: [after] };
  return {
    expected: 'the session of the other device goes on',
    actual: `${actual} (${describe(after.result)})`,
    shownBy: [after],
    timeSensitive: after.result.kind !== 'refused',
  };
}

/** Why a check of a user's several sessions does not apply. */
const ONE_SESSION = { notApplicable: 'the server keeps one session for each user' } as const;

/**
 * Judges a control, the session on one device after a sign-in on another one. A server whose newest sign-in
 * ends the older sessions refuses it.
 */
export function controlBeside(beside: PlayedStep): Judgement {
  return beside.result.kind === 'refused' ? ONE_SESSION : controlDone(beside);
}

/** Judges a control, a step that must succeed before others prove anything. Unclear if it did not. */
export function controlDone(played: PlayedStep): Judgement {
  if (isDone(played)) return undefined;
  const because = `the control "${played.step.label}", which ought to succeed, did not (${describe(played.result)})`;
  return { unclear: because, shownBy: [played] };
}

/**
 * Moments closer than this (ms) count as simultaneous: the kit notes moments at its proxies, a little later
 * than they happen.
 */
export const CLOCK_MARGIN_MS = 20;

/**
 * The moment (ms) at which the client's request to the authorization server was answered; the end of the step
 * where it sent none.
 */
export const answeredAt = ({ exchanges, endedAt }: PlayedStep): number =>
  exchanges.find(({ link }) => link === 'client->auth')?.endedAt ?? endedAt;
