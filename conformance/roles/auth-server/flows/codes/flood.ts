import { resendPauseOf } from '../../people/time/scenario-time.ts';
import { check, flow } from '../flow.ts';
import { fault, isDone, unclear } from '../step-values.ts';
import { MESSAGE_WAIT_MS, NOT_COUNTED } from './guesses.ts';

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
    const pause = Math.max(resendPauseOf(adapter), 60 / (adapter.codesPerMinute ?? Number.POSITIVE_INFINITY));
    if (!adapter.has('advanceClock') && tooLong(pause)) return;
    const [vic, wim] = [await driver.user('Vic'), await driver.user('Wim')];
    const before = await driver.messagesTo(vic);
    let [requests, refusals, took] = [0, 0, 0];
    while (requests < FLOOD_COUNT && refusals < MAX_REFUSALS) {
      if (requests > 0) await driver.passResendPause();
      const last = ++requests === FLOOD_COUNT;
      const each = await driver.codes.request(vic, 'Vic: one code of many', {
        waitMs: last ? MESSAGE_WAIT_MS : 0,
      });
      refusals = each.result.kind === 'done' ? 0 : refusals + 1;
      took += each.took;
      if (requests === MEASURED_COUNT && tooLong(took / requests / 1_000)) return;
    }
    const messages = (await driver.messagesTo(vic)) - before;
    const control = await driver.codes.request(wim, "Wim: a code, after all of Vic's", {
      waitMs: CONTROL_WAIT_MS,
    });
    driver.observe('Vic: one code of many', { requests, messages });
    driver.observe("Wim: a code, after all of Vic's", { messages: control.messages });
  },
  checks: [
    check({
      id: 'messages-capped',
      title: 'One phone is sent a limited number of messages',
      requirements: ['K-code-cap'],
      judge(steps) {
        const other = steps.of("Wim: a code, after all of Vic's");
        const asked = steps.all('Vic: one code of many');
        const { messages, requests } = steps.observed('Vic: one code of many') ?? {};
        if (messages === undefined || requests === undefined) return NOT_COUNTED;
        const shownBy = [...asked.slice(0, 1), ...asked.slice(-1)];
        if (messages >= requests)
          return fault(
            'an end to the messages long before',
            `${requests} requests brought ${messages} messages to one phone`,
            ...shownBy,
          );
        if (messages === 0 || !asked.slice(0, 1).every(isDone))
          return unclear('not one of many requests brought a message', ...shownBy);
        if (steps.observed("Wim: a code, after all of Vic's")?.messages !== 0)
          return { right: [...shownBy, other] };
        return unclear(
          'afterwards no message came to another phone either: the limit may be one of addresses. Please state otp.perMinute.',
          ...shownBy,
        );
      },
      advice:
        'Count the codes that were sent to a phone in a day, in any spelling of it, and send no more than ten or twenty.',
    }),
  ],
});
