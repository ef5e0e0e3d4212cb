import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { resendPauseOf } from '../../people/time/scenario-time.ts';
import { check, flow } from '../flow.ts';
import { isDone, timedFault, unclear } from '../step-values.ts';
import { MESSAGE_WAIT_MS, NOT_COUNTED } from './guesses.ts';

const FIRST = 'Sue: first code';
const AGAIN = 'Sue: another code at once';
const AFTER = 'Sue: a code after the pause';

/** Requests further apart than this (ms) show nothing about a pause. */
const MAX_APART_MS = 10_000;

/** Judges two requests for one phone: it is a fault when the second one, within the pause, brought a message. */
function secondMessage(steps: Steps): Judgement {
  const [later, earlier] = [steps.of(AGAIN), steps.of(FIRST)];
  const { messages, pause } = steps.observed(AGAIN) ?? {};
  const shownBy = [earlier, later];
  if (!isDone(earlier)) return unclear('no code could be requested', ...shownBy);
  if (messages === undefined) return NOT_COUNTED;
  if (messages === 0) return undefined;
  // From the beginning of the first request: the server may have sent its message at any time since then.
  const apart = later.endedAt - (earlier.endedAt - earlier.took);
  // The pause that the adapter file states, in seconds. Without one, a time that every pause exceeds.
  if (apart >= (pause === undefined ? MAX_APART_MS : Math.min(Number(pause) * 1_000, MAX_APART_MS)))
    return unclear(`the two requests lie ${apart} ms apart, so they tell nothing of a pause`, ...shownBy);
  return timedFault('no other message so soon', 'the phone was sent a second message at once', ...shownBy);
}

/** The positive control: a request after the pause succeeds. Otherwise the pause was no reason to refuse. */
function afterPause(steps: Steps): Judgement {
  const control = steps.of(AFTER);
  return isDone(control) ? undefined : unclear('no code came after the pause either', control);
}

export const pauses = flow({
  id: 'pauses',
  title: 'A code is requested right after another, and once more after the pause',
  needs: ['requestOtp', 'confirmOtp'],
  waits: ({ resend }) => resend,
  async play(driver) {
    if (!driver.adapter.countsMessages) return;
    const sue = await driver.user('Sue');
    // Else the kit may wait between the two for the limit of codes a minute, as if for the pause.
    await driver.codes.reserve(2);
    await driver.code(sue, FIRST);
    const options = { defect: 'a code was sent a moment ago', waitMs: MESSAGE_WAIT_MS };
    const { messages } = await driver.codes.request(sue, AGAIN, options);
    // The pause (seconds) of the adapter file, if it states one.
    const pause = resendPauseOf(driver.adapter);
    driver.observe(AGAIN, { messages, ...(pause > 0 && { pause }) });
    await driver.passResendPause();
    await driver.code(sue, AFTER);
  },
  checks: [
    check({
      id: 'pause-between-codes',
      title: 'A phone that was sent a code a moment ago is not sent another',
      requirements: ['K-code-pause'],
      judge: (steps) => secondMessage(steps) ?? afterPause(steps),
      advice:
        'Keep the time of the last code by phone, and send no other within half a minute or so. Where only the test system has no pause, judge it with the pause of production.',
    }),
  ],
});
