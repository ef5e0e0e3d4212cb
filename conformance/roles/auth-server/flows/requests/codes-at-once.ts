/**
 * The scenario `codes-at-once`: clients request two codes for one phone at the same moment, and request a
 * code while a wrong one is tried. The authorization server must keep the newest code, and its pause between
 * codes.
 */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { Driver, User } from '../../people/driver.ts';
import { resendPauseOf } from '../../people/time/scenario-time.ts';
import { confirm, otherCode } from '../codes/guesses.ts';
import { check, flow } from '../flow.ts';
import { isDone } from '../step-values.ts';

// Labels: of both requests at the same moment, and of the number of messages that came of them.
const TWICE = 'request a code, twice at once';
const MESSAGES = 'messages after two requests';

export const codesAtOnce = flow({
  id: 'codes-at-once',
  title: 'Two codes are requested at the same moment, and a wrong code is tried while another is requested',
  needs: ['requestOtp', 'confirmOtp'],
  people: 2,
  waits: ({ resend }) => resend,
  async play(driver) {
    await requestTwice(driver, await driver.user('Ula'));
    await resendDuringTry(driver, await driver.user('Vic'));
  },
  checks: [
    check({
      id: 'newest-code-after-two-requests',
      title: 'When two codes are requested at the same moment, the one that came last confirms',
      requirements: ['K-newest-code-confirms'],
      judge: newestRefused,
      advice:
        'Check the pause and store the code in one transaction, and send only the code that was stored: the later request replaces the earlier one or is refused.',
    }),
    check({
      id: 'pause-holds-at-once',
      title: 'Two requests at the same moment do not pass the pause between two codes',
      requirements: ['K-code-pause'],
      judge(steps) {
        steps.of(TWICE);
        const asked = steps.all(TWICE);
        const seen = steps.observed(MESSAGES);
        if (!seen) return { unclear: 'no code came after two requests at the same moment', shownBy: asked };
        if (seen.pause === undefined)
          return {
            notApplicable:
              'the adapter file states no pause between two codes, or messages cannot be counted here',
          };
        if (Number(seen.count) <= 1) return undefined;
        return {
          expected: `one message: the next one after ${seen.pause} s`,
          actual: `${seen.count} messages came of two requests at the same moment`,
          shownBy: asked,
        };
      },
      advice:
        'Look at the time of the last code and store the new one in one step, such as a transaction or a lock for each phone, before anything slow is done.',
    }),
    check({
      id: 'newest-code-survives-wrong-try',
      title: 'A wrong try at the moment of a resend does not bring back the old code',
      requirements: ['K-newest-code-confirms'],
      judge(steps) {
        const [played, resend] = [
          steps.of('confirm the code of the resend'),
          steps.of('the code is requested anew'),
        ];
        if (isDone(played)) return { right: [played] };
        if (!isDone(resend)) return { unclear: 'the code was not sent again', shownBy: [resend] };
        const old = steps.all('the code before the resend');
        const isRevived = old.some(isDone);
        return {
          expected: 'the code of the resend confirms',
          actual: `${describe(played.result)}${isRevived ? ', and the code before it confirmed' : ''}`,
          shownBy: [resend, played, ...old],
          timeSensitive: !isRevived,
        };
      },
      advice:
        'Count a wrong try by changing the row of that very code; never write a row back that was read before.',
    }),
  ],
});

/**
 * Requests a code for one phone on two devices at once, counts the messages, and confirms the newest code.
 * Records whether it is certain which code is the newest.
 */
async function requestTwice(driver: Driver, ula: User): Promise<void> {
  const since = await driver.adapter.messagesTo(ula.phone);
  await driver.codes.take(2);
  const asked = await driver.atOnce(
    [1, 2].map((number) => ({
      user: driver.otherDevice(ula, `Ula, device ${number}`),
      step: 'requestOtp',
      label: TWICE,
    })),
  );
  // The number of requests that succeeded, so the number of messages to wait for.
  const sent = asked.filter(({ kind }) => kind === 'done').length;
  const newest = sent > 0 ? await newestOf(driver, ula, { since, sent }) : undefined;
  if (!newest) return;
  // One message alone is certain. Of two, an outbox tells which is newer; messages that are delivered to the
  // kit may overtake each other. Where a code belongs to a challenge, the kit has only the last challenge.
  const isCertain = newest.count === sent && (sent === 1 || (isOutbox(driver) && !driver.adapter.bindsCodes));
  // Seconds; 0 where there is no pause to judge.
  const pause = driver.adapter.countsMessages ? resendPauseOf(driver.adapter) : 0;
  driver.observe(MESSAGES, { count: newest.count, isCertain, ...(pause > 0 && { pause }) });
  await confirm(driver, ula, 'confirm the newest code', newest.code);
}

/**
 * Requests a second code at the moment at which a wrong one is tried, and confirms the second. If that fails,
 * tries the first: the server may have stored it again.
 */
async function resendDuringTry(driver: Driver, vic: User): Promise<void> {
  const old = await driver.code(vic, 'a code before the resend');
  if (!(await driver.passResendPause())) return;
  const messages = await driver.messagesTo(vic);
  await driver.codes.take(1);
  await driver.atOnce([
    {
      user: driver.otherDevice(vic, 'Vic, other device'),
      step: 'confirmOtp',
      label: 'wrong code during the resend',
      options: { defect: 'the code differs from the one sent', code: otherCode(old) },
    },
    { user: vic, step: 'requestOtp', label: 'the code is requested anew' },
  ]);
  const fresh = (await driver.codes.newest(vic, messages))?.code;
  // Equal codes show nothing.
  if (fresh === undefined || fresh === old || fresh === otherCode(old)) return;
  const { kind } = await confirm(driver, vic, 'confirm the code of the resend', fresh);
  if (kind === 'done') return;
  const device = driver.otherDevice(vic, 'Vic, old code');
  await confirm(driver, device, 'the code before the resend', old, 'a newer code was sent since');
}

/**
 * Returns the code of the newest message and the number of messages; undefined when none came.
 * @param since the number of messages before the requests
 * @param sent the number of messages that should come; after the first the kit waits a moment for the others
 */
async function newestOf(driver: Driver, user: User, { since, sent }: { since: number; sent: number }) {
  const first = await driver.codes.newest(user, since);
  if (first === undefined || first.count >= sent) return first;
  const later = await driver.codes.newest(user, since + first.count, SECOND_MESSAGE_WAIT_MS);
  return later ? { code: later.code, count: first.count + later.count } : first;
}

/** Limits the wait (ms) for a second message. A server need not send it. */
const SECOND_MESSAGE_WAIT_MS = 500;

/**
 * Whether the kit reads messages from a list that the server keeps (an outbox), which is in the order of
 * sending. Where the server sends its SMS to the kit (a sink), they are in the order of delivery.
 */
function isOutbox({ adapter }: Driver): boolean {
  return JSON.stringify(adapter.publicConfiguration.otp)?.includes('"source":"outbox"') ?? false;
}

/**
 * Judges whether the newest of the two codes confirms; does not apply where it is not certain which that is.
 */
function newestRefused(steps: Steps): Judgement {
  const asked = steps.all(TWICE);
  const [first] = asked;
  if (first && !steps.find('confirm the newest code') && !asked.some(isDone))
    return { unclear: `neither request succeeded (${describe(first.result)})`, shownBy: asked };
  const played = steps.of('confirm the newest code');
  if (isDone(played)) return { right: [played] };
  const seen = steps.observed(MESSAGES);
  if (seen?.isCertain !== true)
    return {
      notApplicable:
        'several codes came at the same moment, and nothing in this set-up tells which of them was sent last',
    };
  return {
    expected: 'the code that came last confirms',
    actual: `${describe(played.result)}; ${seen.count} messages had come`,
    shownBy: [...asked, played],
  };
}
