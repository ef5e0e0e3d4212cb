import { check, flow } from '../flow.ts';
import { CONFIRM_ADVICE, confirm, opensNoSession } from './guesses.ts';

export const supersededCode = flow({
  id: 'superseded-code',
  title: 'A second code is requested, and the first one tried before the second',
  needs: ['requestOtp', 'confirmOtp'],
  waits: ({ resend }) => resend,
  async play(driver) {
    const gil = await driver.user('Gil');
    const old = await driver.code(gil, 'first code');
    if (!(await driver.passResendPause())) return;
    let fresh = await driver.code(gil, 'second code');
    if (fresh === old && (await driver.passResendPause()))
      fresh = await driver.code(gil, 'third code, where the first two are equal');
    // A server may send the same code again while it is valid. Then there is no older code to try.
    driver.observe('newest code', { isOther: fresh !== old });
    if (fresh === old) return void (await confirm(driver, gil, 'newest code', fresh));
    // First with the values of its own request, then (`requestSeq` is empty) of the newest.
    for (const request of [{}, { requestSeq: '' }])
      await driver.perform(gil, 'confirmOtp', 'superseded code', {
        defect: 'a newer code was sent since',
        code: old,
        ...request,
      });
    await confirm(driver, gil, 'newest code', fresh);
  },
  checks: [
    check({
      id: 'superseded-code-refused',
      title: 'A newer code makes the older one useless',
      requirements: ['K-code-superseded'],
      control: ['newest code'],
      expect: { 'superseded code': opensNoSession },
      settled: (steps) =>
        steps.allObserved('newest code').some(({ isOther }) => isOther === false)
          ? { notApplicable: 'the server sends the same code again while it lives, so none is superseded' }
          : undefined,
      advice: CONFIRM_ADVICE,
    }),
  ],
});
