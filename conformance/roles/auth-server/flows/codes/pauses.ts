/**
 * Requests codes right after another, and checks that the server keeps a pause between two messages to one
 * phone, also after a sign-in and a deletion: messages cost money and disturb people.
 */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import type { Driver, User } from '../../people/driver.ts';
import { resendPauseOf } from '../../people/time/scenario-time.ts';
import { check, flow } from '../flow.ts';
import { isDone } from '../step-values.ts';
import { MESSAGE_WAIT_MS, NOT_COUNTED } from './guesses.ts';

/** Requests a code right after another one for the same phone, and records how many messages came. */
async function again(driver: Driver, user: User, label: string): Promise<void> {
  const { messages } = await driver.codes.request(user, label, { defect: TOO_SOON, waitMs: MESSAGE_WAIT_MS });
  observeAgain(driver, label, messages);
}

/** Records the messages after a step, and the pause (seconds) of the adapter file if it states one. */
export function observeAgain(driver: Driver, label: string, messages: number): void {
  const pause = resendPauseOf(driver.adapter);
  driver.observe(label, { messages, ...(pause > 0 && { pause }) });
}

/**
 * Reserves two of the codes that the server sends in a minute. Without this the kit may wait between the two
 * requests to keep below that limit, and the wait would look like the pause.
 */
export const reserveTwo = (driver: Driver) => driver.codes.reserve(2);

/** The reason why a request within the pause must bring no code. */
export const TOO_SOON = 'a code was sent a moment ago';

/** Requests further apart than this (ms) show nothing about a pause. */
const MAX_APART_MS = 10_000;

/**
 * Judges two requests for one phone: it is a fault when the second one, within the pause, brought a message.
 * @param what.before,what.again the labels of the first and the second request
 * @param what.actual the fault in words
 */
export function secondMessage(
  steps: Steps,
  { before, again: label, actual }: { before: string; again: string; actual: string },
): Judgement {
  const [later, earlier] = [steps.of(label), steps.of(before)];
  const { messages, pause } = steps.observed(label) ?? {};
  const shownBy = [earlier, later];
  if (!isDone(earlier)) return { unclear: 'no code could be requested', shownBy };
  if (messages === undefined) return NOT_COUNTED;
  if (messages === 0) return undefined;
  // From the beginning of the first request: the server may have sent its message at any time since then.
  const apart = later.endedAt - (earlier.endedAt - earlier.took);
  // The pause that the adapter file states, in seconds. Without one, a time that every pause exceeds.
  if (apart >= (pause === undefined ? MAX_APART_MS : Math.min(Number(pause) * 1_000, MAX_APART_MS)))
    return { unclear: `the two requests lie ${apart} ms apart, so they tell nothing of a pause`, shownBy };
  return { expected: 'no other message so soon', actual, shownBy, timeSensitive: true };
}

/** The positive control: a request after the pause succeeds. Otherwise the pause was no reason to refuse. */
export function afterPause(steps: Steps): Judgement {
  const control = steps.of('Sue: a code after the pause');
  return isDone(control) ? undefined : { unclear: 'no code came after the pause either', shownBy: [control] };
}

/** Not applicable when the server has no pause at all: then no pause can be reset. */
export function unlessNoPause(steps: Steps): Judgement {
  return Number(steps.observed('Sue: another code at once')?.messages ?? 0) > 0
    ? { notApplicable: 'there is no pause between codes that could be reset' }
    : undefined;
}

/** A check of what must not reset the pause: labels of two requests, and `what` happened between them. */
type Reset = { id: string; title: string; before: string; again: string; what: string; advice: string };

function resetCheck({ before, again: later, what, ...about }: Reset) {
  const actual = `right after ${what} another message was sent to the phone`;
  return check({
    ...about,
    requirements: ['K-code-pause'],
    settled: unlessNoPause,
    judge: (steps) => secondMessage(steps, { before, again: later, actual }) ?? afterPause(steps),
  });
}

export const pauses = flow({
  id: 'pauses',
  title: 'Codes are requested one right after another: at once, after a sign-in, after a deletion',
  needs: ['requestOtp', 'confirmOtp'],
  people: 2,
  waits: ({ resend }) => 2 * resend,
  async play(driver) {
    if (!driver.adapter.countsMessages) return;
    const [sue, tom] = [await driver.user('Sue'), await driver.user('Tom')];
    await reserveTwo(driver);
    await driver.code(sue, 'Sue: first code');
    await again(driver, sue, 'Sue: another code at once');
    await driver.passResendPause();
    await reserveTwo(driver);
    const code = await driver.code(sue, 'Sue: a code after the pause');
    await driver.mustSucceed(sue, 'confirmOtp', 'Sue signs in', { code });
    await again(driver, sue, 'Sue: another code right after the sign-in');
    if (!driver.adapter.has('deleteUser')) return;
    await reserveTwo(driver);
    const toms = await driver.code(tom, 'Tom: first code');
    await driver.mustSucceed(tom, 'confirmOtp', 'Tom signs in', { code: toms });
    await driver.mustSucceed(tom, 'deleteUser', 'Tom is deleted');
    await again(driver, tom, 'Tom: another code right after the deletion');
  },
  checks: [
    check({
      id: 'pause-between-codes',
      title: 'A phone that was sent a code a moment ago is not sent another',
      requirements: ['K-code-pause'],
      judge: (steps) =>
        secondMessage(steps, {
          before: 'Sue: first code',
          again: 'Sue: another code at once',
          actual: 'the phone was sent a second message at once',
        }) ?? afterPause(steps),
      advice:
        'Keep the time of the last code by phone, and send no other within half a minute or so. Where only the test system has no pause, judge it with the pause of production.',
      explains: ['pause-holds-at-once'],
    }),
    resetCheck({
      id: 'pause-survives-sign-in',
      title: 'A sign-in does not reset the pause between codes',
      before: 'Sue: a code after the pause',
      again: 'Sue: another code right after the sign-in',
      what: 'a sign-in',
      advice:
        'Keep when and how often codes were sent to a phone apart from the code itself, which a sign-in uses up.',
    }),
    resetCheck({
      id: 'pause-survives-deletion',
      title: 'A deletion does not reset the pause between codes',
      before: 'Tom: first code',
      again: 'Tom: another code right after the deletion',
      what: 'the deletion of the user',
      advice:
        'Keep when and how often codes were sent to a phone for a day, whether or not it is still a user.',
    }),
  ],
});
