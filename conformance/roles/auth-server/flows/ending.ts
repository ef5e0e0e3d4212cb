/** What must come of sessions that end, and of those beside them. */
import type { Expectation } from '../../../engine/check/flow.ts';
import type { Judgement } from '../../../engine/check/steps.ts';
import { describe } from '../../../engine/journal/describe-result.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { refused } from './flow.ts';
import { isDone } from './step-values.ts';

/** The session that ended opens nothing. */
export const endedRefused = refused('the ended session is refused', { nothingSent: true });

export const END_WHERE_VERIFIED =
  'End the session where it is verified, before the client is told that it has ended.';

/** A session goes on after something that happened on another device; `actual` says what ended it. */
export function goesOn(actual: string): Expectation {
  return { judge: (_label, [after]) => (after ? endedBy(actual, after) : undefined) };
}

/** As {@link goesOn}, of one step. */
export function endedBy(actual: string, after: PlayedStep): Judgement {
  if (isDone(after)) return undefined;
  return {
    expected: 'the session of the other device goes on',
    actual: `${actual} (${describe(after.result)})`,
    shownBy: [after],
    timeSensitive: after.result.kind !== 'refused',
  };
}

/** The step, without which others prove nothing, is done. */
export function controlDone(played: PlayedStep): Judgement {
  if (isDone(played)) return undefined;
  const because = `the control "${played.step.label}", which ought to succeed, did not (${describe(played.result)})`;
  return { unclear: because, shownBy: [played] };
}

/** Moments closer than this (ms) count as simultaneous. */
export const CLOCK_MARGIN_MS = 20;

/** The moment at which the client's own request of a step was answered. */
export const answeredAt = ({ exchanges, endedAt }: PlayedStep): number =>
  exchanges.find(({ link }) => link === 'client->auth')?.endedAt ?? endedAt;
