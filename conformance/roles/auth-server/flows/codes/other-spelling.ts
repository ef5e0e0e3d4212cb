/**
 * Requests codes for one phone in two spellings, and checks that the server keeps the pause between two codes
 * whatever the spelling.
 */
import { check, flow } from '../flow.ts';
import { MESSAGE_WAIT_MS } from './guesses.ts';
import { observeAgain, pauses, reserveTwo, secondMessage, TOO_SOON, unlessNoPause } from './pauses.ts';

export const otherSpelling = flow({
  id: 'other-spelling',
  title: 'Codes are requested for one phone in two spellings, right after another, and confirmed',
  needs: ['requestOtp', 'confirmOtp'],
  waits: ({ resend }) => resend,
  async play(driver) {
    if (!driver.adapter.countsMessages) return;
    const una = await driver.user('Una');
    const phone = spelledOtherwise(una.phone);
    await reserveTwo(driver);
    const code = await driver.code(una, 'Una: first code');
    const otherwise = 'Una: another code at once, with the phone in another spelling';
    const again = await driver.codes.request(una, otherwise, {
      defect: TOO_SOON,
      waitMs: MESSAGE_WAIT_MS,
      phone,
    });
    observeAgain(driver, otherwise, again.messages);
    await driver.perform(una, 'confirmOtp', 'Una signs in', { code: again.code ?? code });
    await driver.passResendPause();
    // A server may refuse another spelling, and then has no user for it.
    const afterPause = 'Una: a code after the pause, with the phone in another spelling';
    const after = await driver.codes.request(una, afterPause, { waitMs: MESSAGE_WAIT_MS, phone });
    if (after.code === undefined) return;
    await driver.perform(una, 'confirmOtp', 'Una signs in with the phone in another spelling', {
      phone,
      code: after.code,
    });
  },
  checks: [
    check({
      id: 'pause-for-every-spelling',
      title: 'The pause between codes holds for a phone in every spelling',
      requirements: ['K-code-pause'],
      also: [pauses],
      settled: (steps) => unlessNoPause(steps.in(pauses)),
      // A server may refuse another spelling. Then it sends no message, and the check passes.
      judge: (steps) =>
        secondMessage(steps, {
          before: 'Una: first code',
          again: 'Una: another code at once, with the phone in another spelling',
          actual: 'with blanks and dashes in the phone another message was sent to it at once',
        }),
      advice:
        'Bring the phone into one form, digits alone, before anything is counted, stored or compared by it.',
    }),
  ],
});

/** Writes a phone with a blank and dashes between groups of its digits, as people do. */
function spelledOtherwise(phone: string): string {
  return phone.replace(/^(.*?)(\d{3})(\d{2})(\d{2})$/, '$1 $2-$3-$4');
}
