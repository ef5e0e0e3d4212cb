/** Plays one-time codes that are confirmed after their lifetime, and checks that the server refuses them. */
import type { Expectation } from '../../../../engine/check/flow.ts';
import { isFault } from '../../../../engine/check/steps.ts';
import { check, flow } from '../flow.ts';
import { CONFIRM_ADVICE, confirm, HALF_LIFE_WAIT_MS, opensNoSession, otherCode } from './guesses.ts';

/** The code is refused. A fault is worded for a code that was tried wrongly before. */
const opensNoSessionAfterTry: Expectation = {
  judge(label, played) {
    const found = opensNoSession.judge(label, played);
    if (!isFault(found)) return found;
    return { ...found, actual: `${found.actual}: a wrong try had prolonged the life of the code` };
  },
};

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
    await confirm(driver, jo, 'code in time', await driver.code(jo, 'a code for use in time'));
    const code = await driver.code(hal, 'a code to be kept too long');
    const idas = await driver.code(ida, 'a code to be tried wrongly and kept too long');
    const lifetime = driver.codeLifetimeMs;
    const half = { longestWaitMs: HALF_LIFE_WAIT_MS };
    // Half of the lifetime can be waited for if it is short, or if the kit can move the server's clock.
    const isHalf = lifetime / 2 + 1_000 <= HALF_LIFE_WAIT_MS || driver.canAdvanceTime;
    if (!isHalf || !(await driver.advanceTime(lifetime / 2, half))) {
      driver.note(
        `A code lives ${lifetime / 1_000} s here and the adapter cannot move the clock: its expiry was not tried.`,
      );
      return;
    }
    await confirm(driver, ida, 'wrong code at half of the lifetime', otherCode(idas), 'a guess');
    if (!(await driver.advanceTime(lifetime / 2 + 1_000, half))) return;
    const defect = 'the lifetime of the code has run out';
    await confirm(driver, hal, 'expired code', code, defect);
    await confirm(driver, ida, 'expired code after a wrong try', idas, defect);
  },
  checks: [
    check({
      id: 'expired-code-refused',
      title: 'A code is refused after its lifetime, whether or not it was tried wrongly meanwhile',
      requirements: ['K-code-expires'],
      control: ['code in time'],
      expect: { 'expired code': opensNoSession, 'expired code after a wrong try': opensNoSessionAfterTry },
      advice: CONFIRM_ADVICE,
    }),
  ],
});
