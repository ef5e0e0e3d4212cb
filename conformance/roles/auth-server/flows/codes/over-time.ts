/** Codes that have expired or were superseded, the pause between messages and their limit. */
import { isFault, type Judgement, type Steps } from '../../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import type { Driver, User } from '../../people/driver.ts';
import { resendPauseOf } from '../../people/time/scenario-time.ts';
import { controlOf, flow, unrefused } from '../flow.ts';
import { faultUnlessSlow, isDone, unclear } from '../step-values.ts';
import {
  CONFIRM_ADVICE,
  confirm,
  GUESSES_BETWEEN_REQUESTS,
  guess,
  HALF_LIFE_WAIT_MS,
  isOutlived,
  MESSAGE_WAIT_MS,
  NOT_COUNTED,
  opensNoSession,
  otherCode,
  TOO_MANY,
  TRY_COUNT,
} from './guesses.ts';

/** The fault of a code that was tried wrongly before, and must be refused all the same. */
function prolonged(played: PlayedStep): Judgement {
  const found = unrefused([played], opensNoSession());
  if (!isFault(found)) return found;
  return { ...found, actual: `${found.actual}: a wrong try had prolonged the life of the code` };
}

export const expiredCode = flow({
  id: 'expired-code',
  title: 'Codes are tried after their lifetime, one of them after a wrong try at half of it',
  needs: ['requestOtp', 'confirmOtp'],
  people: 3,
  // Longer lifetimes than 64 s are not waited for: half of one must fit into HALF_LIFE_WAIT_MS with a second.
  waits: ({ codeLifetime }) => (codeLifetime > 64 ? 0 : codeLifetime + 1),
  async play(driver) {
    const [jo, hal] = [await driver.user('Jo'), await driver.user('Hal')];
    const ida = await driver.user('Ida');
    await driver.perform(jo, 'confirmOtp', 'code in time', {
      code: await driver.code(jo, 'a code for use in time'),
      expects: controlOf('expired-code-refused'),
    });
    const code = await driver.code(hal, 'a code to be kept too long');
    const idas = await driver.code(ida, 'a code to be tried wrongly and kept too long');
    const lifetime = driver.time.codeLifetimeMs;
    const half = { longestWaitMs: HALF_LIFE_WAIT_MS };
    // Half of the lifetime can be waited for if it is short, or if the kit can move the server's clock.
    const isHalf = lifetime / 2 + 1_000 <= HALF_LIFE_WAIT_MS || driver.time.canAdvance;
    if (!isHalf || !(await driver.time.advance(lifetime / 2, half))) {
      driver.note(
        `A code lives ${lifetime / 1_000} s here and the adapter cannot move the clock: its expiry was not tried.`,
      );
      return;
    }
    await confirm(driver, ida, 'wrong code at half of the lifetime', otherCode(idas), 'a guess');
    if (!(await driver.time.advance(lifetime / 2 + 1_000, half))) return;
    const defect = 'the lifetime of the code has run out';
    await confirm(driver, hal, 'expired code', code, defect);
    await confirm(driver, ida, 'expired code after a wrong try', idas, defect);
  },
  checks: {
    'expired-code-refused': {
      title: 'A code is refused after its lifetime, whether or not it was tried wrongly meanwhile',
      requirements: ['K-code-expires'],
      judge: (steps) =>
        unrefused([steps.of('expired code')], opensNoSession()) ??
        prolonged(steps.of('expired code after a wrong try')),
      advice: CONFIRM_ADVICE,
    },
  },
});

export const supersededCode = flow({
  id: 'superseded-code',
  title: 'A second code is requested, and the first one tried before the second',
  needs: ['requestOtp', 'confirmOtp'],
  waits: ({ resend }) => resend,
  async play(driver) {
    const gil = await driver.user('Gil');
    const old = await driver.code(gil, 'first code');
    if (!(await driver.time.passResendPause())) return;
    let fresh = await driver.code(gil, 'second code');
    if (fresh === old && (await driver.time.passResendPause()))
      fresh = await driver.code(gil, 'third code, where the first two are equal');
    // A server may send the same code again while it is valid. Then there is no older code to try.
    driver.observe('newest code', { isOther: fresh !== old });
    if (fresh === old) return guessBetweenMessages(driver, gil, fresh);
    // First with the values of its own request, then (`requestSeq` is empty) of the newest.
    for (const request of [{}, { requestSeq: '' }])
      await driver.perform(gil, 'confirmOtp', 'superseded code', {
        defect: 'a newer code was sent since',
        code: old,
        expects: [opensNoSession()],
        ...request,
      });
    await driver.perform(gil, 'confirmOtp', 'newest code', {
      code: fresh,
      expects: controlOf('superseded-code-refused'),
    });
  },
  checks: {
    'superseded-code-refused': {
      title: 'A newer code makes the older one useless',
      requirements: ['K-code-superseded'],
      settled: (steps) =>
        steps.allObserved('newest code').some(({ isOther }) => isOther === false)
          ? { notApplicable: 'the server sends the same code again while it lives, so none is superseded' }
          : undefined,
      advice: CONFIRM_ADVICE,
    },
  },
});

export const RIGHT_BETWEEN = 'right code of Gil after many guesses between its messages';

/**
 * The tries of a code must not begin again when the same code is sent again. `tries-survive-refused-request`
 * judges it by {@link RIGHT_BETWEEN}.
 */
async function guessBetweenMessages(driver: Driver, gil: User, code: string): Promise<void> {
  const requestedAt = driver.time.now();
  for (let tried = 0; tried < TRY_COUNT; tried += GUESSES_BETWEEN_REQUESTS) {
    const range = { from: tried + 1, to: tried + GUESSES_BETWEEN_REQUESTS };
    await guess(driver, gil, 'guess at the code of Gil', code, range);
    if (!(await driver.time.passResendPause())) return;
    const again = await driver.codes.request(gil, 'the code of Gil once more', { waitMs: MESSAGE_WAIT_MS });
    // Tried out, a careful server sends another code, or none.
    if (again.code !== code) return;
  }
  if (isOutlived(driver, requestedAt)) return;
  await confirm(driver, gil, RIGHT_BETWEEN, code, TOO_MANY);
}

const FIRST = 'Sue: first code';
const AGAIN = 'Sue: another code at once';
const AFTER = 'Sue: a code after the pause';

/** Requests further apart than this (ms) show nothing about a pause. */
const MAX_APART_MS = 10_000;

function secondMessage(steps: Steps): Judgement {
  const [later, earlier] = [steps.of(AGAIN), steps.of(FIRST)];
  const { messages, pause } = steps.observed(AGAIN) ?? {};
  const shownBy = [earlier, later];
  if (!isDone(earlier)) return unclear('no code could be requested', ...shownBy);
  if (messages === undefined) return NOT_COUNTED;
  if (messages === 0) return undefined;
  return (
    tooFarApart(earlier, later, pause) ??
    faultUnlessSlow('no other message so soon', 'the phone was sent a second message at once', ...shownBy)
  );
}

/** `pause`: that of the adapter file, in seconds. Without one, two requests soon after each other are judged. */
export function tooFarApart(earlier: PlayedStep, later: PlayedStep, pause: unknown): Judgement {
  // From the beginning of the first request: the server may have sent its message at any time since then.
  const apart = later.endedAt - (earlier.endedAt - earlier.took);
  if (apart < (pause === undefined ? MAX_APART_MS : Math.min(Number(pause) * 1_000, MAX_APART_MS)))
    return undefined;
  return unclear(`the two requests lie ${apart} ms apart, so they tell nothing of a pause`, earlier, later);
}

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
    const pause = resendPauseOf(driver.adapter);
    driver.observe(AGAIN, { messages, ...(pause > 0 && { pause }) });
    await driver.time.passResendPause();
    await driver.code(sue, AFTER);
  },
  checks: {
    'pause-between-codes': {
      title: 'A phone that was sent a code a moment ago is not sent another',
      requirements: ['K-code-pause'],
      judge: (steps) => secondMessage(steps) ?? afterPause(steps),
      advice:
        'Keep the time of the last code by phone, and send no other within half a minute or so. Where only the test system has no pause, judge it with the pause of production.',
    },
  },
});

/** The requests of the flood: more than the ten or twenty codes that a careful server sends in a day. */
const FLOOD_COUNT = 60;

/** After this many refusals in a row the server is taken to have reached its limit. */
const MAX_REFUSALS = 2;

/** Limits the duration of the flood: a run must not wait longer for one check than for all others. */
const MAX_FLOOD_SECONDS = 20;

/** After this many requests the duration of one is known, and that of the flood can be estimated. */
const MEASURED_COUNT = 3;

/** Limits the wait (ms) for the message to the second phone, which must come. */
const CONTROL_WAIT_MS = 10_000;

const ONE_OF_MANY = 'Vic: one code of many';
const TO_ANOTHER = "Wim: a code, after all of Vic's";

export const flood = flow({
  id: 'flood',
  title:
    'More codes are requested for one phone than anybody needs in a day, each after the pause, and one for another',
  needs: ['requestOtp'],
  when: 'last',
  people: 2,
  async play(driver) {
    const { adapter } = driver;
    if (!adapter.countsMessages || adapter.isManual) return;
    const tooLong = (each: number) => {
      if (FLOOD_COUNT * each <= MAX_FLOOD_SECONDS) return false;
      driver.note(
        `${FLOOD_COUNT} codes for one phone would take ${Math.ceil(FLOOD_COUNT * each)} s here, so whether there is a cap was not tried.`,
      );
      return true;
    };
    // A request waits for the pause between two codes, and for the limit of codes a minute.
    const pause = Math.max(
      resendPauseOf(adapter),
      60 / (adapter.settings.otp?.perMinute ?? Number.POSITIVE_INFINITY),
    );
    if (!adapter.has('advanceClock') && tooLong(pause)) return;
    const [vic, wim] = [await driver.user('Vic'), await driver.user('Wim')];
    const before = await driver.messagesTo(vic);
    let [requests, refusals, took] = [0, 0, 0];
    while (requests < FLOOD_COUNT && refusals < MAX_REFUSALS) {
      if (requests > 0) await driver.time.passResendPause();
      const last = ++requests === FLOOD_COUNT;
      const each = await driver.codes.request(vic, ONE_OF_MANY, { waitMs: last ? MESSAGE_WAIT_MS : 0 });
      refusals = each.result.kind === 'done' ? 0 : refusals + 1;
      took += each.took;
      if (requests === MEASURED_COUNT && tooLong(took / requests / 1_000)) return;
    }
    const messages = (await driver.messagesTo(vic)) - before;
    const control = await driver.codes.request(wim, TO_ANOTHER, { waitMs: CONTROL_WAIT_MS });
    driver.observe(ONE_OF_MANY, { requests, messages });
    driver.observe(TO_ANOTHER, { messages: control.messages });
  },
  checks: {
    'messages-capped': {
      title: 'One phone is sent a limited number of messages',
      requirements: ['K-code-cap'],
      judge(steps) {
        const other = steps.of(TO_ANOTHER);
        const asked = steps.all(ONE_OF_MANY);
        const { messages, requests } = steps.observed(ONE_OF_MANY) ?? {};
        if (messages === undefined || requests === undefined) return NOT_COUNTED;
        const shownBy = [...asked.slice(0, 1), ...asked.slice(-1)];
        if (messages >= requests)
          return {
            expected: 'an end to the messages long before',
            actual: `${requests} requests brought ${messages} messages to one phone`,
            shownBy,
          };
        if (messages === 0 || !asked.slice(0, 1).every(isDone))
          return unclear('not one of many requests brought a message', ...shownBy);
        if (steps.observed(TO_ANOTHER)?.messages !== 0) return { right: [...shownBy, other] };
        return unclear(
          'afterwards no message came to another phone either: the limit may be one of addresses. Please state otp.perMinute.',
          ...shownBy,
        );
      },
      advice:
        'Count the codes that were sent to a phone in a day, in any spelling of it, and send no more than ten or twenty.',
    },
  },
});
