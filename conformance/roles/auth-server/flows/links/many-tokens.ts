import { flow } from '../flow.ts';

const ROUNDS = [1, 2, 3, 4] as const;

export const manyTokens = flow({
  id: 'many-tokens',
  title: 'One user signs in many times, asks for many exchange tokens',
  needs: ['confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => 3 * resend,
  async play(driver) {
    const dan = await driver.user('Dan');
    for (const round of ROUNDS) {
      if (round > 1 && !(await driver.time.passResendPause())) return;
      await driver.signIn(dan, `sign in, time ${round}`);
      await driver.mustSucceed(dan, 'exchangeToken', `exchange token a, time ${round}`);
      await driver.mustSucceed(dan, 'exchangeToken', `exchange token b, time ${round}`);
    }
  },
  checks: {},
});
