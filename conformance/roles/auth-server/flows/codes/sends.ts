/** How many messages a phone can be made to receive: the pause, what resets it, and the daily cap. */
import type { Driver, User } from '../../player/driver.ts';
import { resendPauseOf } from '../../player/time/times.ts';
import { type Label, scenario } from '../scenario.ts';

/** Limits the wait (ms) for a message after a success. */
const MESSAGE_WAIT_MS = 400;

/** Requests a code right after another one, and records how many messages came. */
async function again(driver: Driver, user: User, label: Label, defect: string): Promise<void> {
  const { messages } = await driver.codes.request(user, label, { defect, waitMs: MESSAGE_WAIT_MS });
  observeAgain(driver, label, messages);
}

function observeAgain(driver: Driver, label: Label, messages: number): void {
  const pause = resendPauseOf(driver.adapter);
  driver.observe(label, { messages, ...(pause > 0 && { pause }) });
}

/** Reserves two codes, because a wait for the rate of codes between two requests would be a pause. */
const atOnce = (driver: Driver) => driver.codes.reserve(2);

const TOO_SOON = 'a code was sent a moment ago';

export const pauses = scenario({
  id: 'pauses',
  title: 'Codes are requested one right after another: at once, after a sign-in, after a deletion',
  needs: ['requestOtp', 'confirmOtp'],
  people: 2,
  waits: ({ resend }) => 2 * resend,
  steps: {
    first: 'Sue: first code',
    again: 'Sue: another code at once',
    afterPause: 'Sue: a code after the pause',
    signIn: 'Sue signs in',
    afterSignIn: 'Sue: another code right after the sign-in',
    nextFirst: 'Tom: first code',
    nextSignIn: 'Tom signs in',
    delete: 'Tom is deleted',
    afterDeletion: 'Tom: another code right after the deletion',
  },
  async run(driver, steps) {
    if (!driver.adapter.countsMessages) return;
    const [sue, tom] = [await driver.user('Sue'), await driver.user('Tom')];
    await atOnce(driver);
    await driver.code(sue, steps.first);
    await again(driver, sue, steps.again, TOO_SOON);
    await driver.passResendPause();
    await atOnce(driver);
    const code = await driver.code(sue, steps.afterPause);
    await driver.mustSucceed(sue, 'confirmOtp', steps.signIn, { code });
    await again(driver, sue, steps.afterSignIn, TOO_SOON);
    if (!driver.adapter.has('deleteUser')) return;
    await atOnce(driver);
    const toms = await driver.code(tom, steps.nextFirst);
    await driver.mustSucceed(tom, 'confirmOtp', steps.nextSignIn, { code: toms });
    await driver.mustSucceed(tom, 'deleteUser', steps.delete);
    await again(driver, tom, steps.afterDeletion, TOO_SOON);
  },
});

export const otherSpelling = scenario({
  id: 'other-spelling',
  title: 'Codes are requested for one phone in two spellings, right after another, and confirmed',
  needs: ['requestOtp', 'confirmOtp'],
  waits: ({ resend }) => resend,
  steps: {
    first: 'Una: first code',
    otherSpelling: 'Una: another code at once, with the phone in another spelling',
    signIn: 'Una signs in',
    afterPause: 'Una: a code after the pause, with the phone in another spelling',
    signInOtherwise: 'Una signs in with the phone in another spelling',
  },
  async run(driver, steps) {
    if (!driver.adapter.countsMessages) return;
    const una = await driver.user('Una');
    const phone = spelledOtherwise(una.phone);
    await atOnce(driver);
    const code = await driver.code(una, steps.first);
    const again = await driver.codes.request(una, steps.otherSpelling, {
      defect: TOO_SOON,
      waitMs: MESSAGE_WAIT_MS,
      input: { phone },
    });
    observeAgain(driver, steps.otherSpelling, again.messages);
    await driver.perform(una, 'confirmOtp', steps.signIn, { input: { code: again.code ?? code } });
    await driver.passResendPause();
    // A server may refuse another spelling, and then has no user for it.
    const after = await driver.codes.request(una, steps.afterPause, { waitMs: MESSAGE_WAIT_MS, input: { phone } });
    if (after.code === undefined) return;
    await driver.perform(una, 'confirmOtp', steps.signInOtherwise, { input: { phone, code: after.code } });
  },
});

/** The same digits in groups, as people write them. */
function spelledOtherwise(phone: string): string {
  return phone.replace(/^(.*?)(\d{3})(\d{2})(\d{2})$/, '$1 $2-$3-$4');
}

/** Exceeds the codes that a careful server sends to one phone in a day. */
const FLOOD_COUNT = 60;

/** After this many refusals in a row the phone gets no more codes. */
const MAX_REFUSALS = 2;

/** Limits the duration of the flood. */
const MAX_FLOOD_SECONDS = 60;

/** After this many requests the server's time per request is known. */
const MEASURED_COUNT = 3;

/** Limits the wait (ms) for the one message that must come. */
const CONTROL_WAIT_MS = 10_000;

export const flood = scenario({
  id: 'flood',
  title:
    'More codes are requested for one phone than anybody needs in a day, each after the pause, and one for another',
  needs: ['requestOtp'],
  when: 'last',
  people: 2,
  steps: { request: 'Vic: one code of many', other: "Wim: a code, after all of Vic's" },
  async run(driver, steps) {
    const { adapter } = driver;
    if (!adapter.countsMessages || adapter.isManual) return;
    const tooLong = (each: number) => {
      if (FLOOD_COUNT * each <= MAX_FLOOD_SECONDS) return false;
      driver.note(
        `${FLOOD_COUNT} codes for one phone would take ${Math.ceil(FLOOD_COUNT * each)} s here, so whether there is a cap was not tried.`,
      );
      return true;
    };
    const pause = Math.max(resendPauseOf(adapter), 60 / (adapter.codesPerMinute ?? Number.POSITIVE_INFINITY));
    if (!adapter.has('advanceClock') && tooLong(pause)) return;
    const [vic, wim] = [await driver.user('Vic'), await driver.user('Wim')];
    const before = await driver.messagesTo(vic);
    let [requests, refusals, took] = [0, 0, 0];
    while (requests < FLOOD_COUNT && refusals < MAX_REFUSALS) {
      if (requests > 0) await driver.passResendPause();
      const last = ++requests === FLOOD_COUNT;
      const each = await driver.codes.request(vic, steps.request, { waitMs: last ? MESSAGE_WAIT_MS : 0 });
      refusals = each.result.kind === 'done' ? 0 : refusals + 1;
      took += each.took;
      if (requests === MEASURED_COUNT && tooLong(took / requests / 1_000)) return;
    }
    const messages = (await driver.messagesTo(vic)) - before;
    const control = await driver.codes.request(wim, steps.other, { waitMs: CONTROL_WAIT_MS });
    driver.observe(steps.request, { requests, messages });
    driver.observe(steps.other, { messages: control.messages });
  },
});
