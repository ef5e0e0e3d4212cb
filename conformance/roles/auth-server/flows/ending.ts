/** How a session that has ended is judged, and the controls beside it. */
import type { Judgement } from '../../../engine/check/steps.ts';
import { describe } from '../../../engine/journal/played-steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { SAVE_EXCHANGE_TOKEN, sentTo } from '../internal-calls.ts';
import { refused } from './flow.ts';
import { askedBy, fault, isDone, unclear } from './step-values.ts';

export const endedRefused = (check: string) =>
  refused('the ended session is refused', { check, nothingSent: true });

export const END_WHERE_VERIFIED =
  'End the session where it is verified, before the client is told that it has ended.';

/** Judges the step `after`, which uses the session after the event that `actual` names. */
export function endedBy(actual: string, after: PlayedStep): Judgement {
  if (isDone(after)) return undefined;
  // A server that has ended the session sends no save for it.
  if (sentTo(after, SAVE_EXCHANGE_TOKEN).some(({ facts }) => !facts.reply?.result))
    return unclear('the EHR server did not acknowledge the exchange token', after);
  return {
    ...fault('the session of the other device goes on', `${actual} (${describe(after.result)})`, after),
    timeSensitive: after.result.kind !== 'refused',
  };
}

const ONE_SESSION = { notApplicable: 'the server keeps one session for each user' } as const;

/** The session on one device after a sign-in on another one, which may rightly end it. */
export function controlBeside(beside: PlayedStep): Judgement {
  return beside.result.kind === 'refused' ? ONE_SESSION : controlDone(beside);
}

/** Judges a control, a step that must succeed before others prove anything. Unclear if it did not. */
export function controlDone(played: PlayedStep): Judgement {
  if (isDone(played)) return undefined;
  const because = `the control "${played.step.label}", which ought to succeed, did not (${describe(played.result)})`;
  return unclear(because, played);
}

/** Moments closer than this (ms) are simultaneous: the proxies note them a little late. */
export const CLOCK_MARGIN_MS = 20;

/** When (ms) the client was answered; the end of a step without a request. */
export const answeredAt = (played: PlayedStep): number => askedBy(played)?.endedAt ?? played.endedAt;
