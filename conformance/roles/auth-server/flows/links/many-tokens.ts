import { flow } from '../flow.ts';

const TOKEN_COUNT = 3;

export const oneSessionAtOnce = flow({
  id: 'one-session-at-once',
  title: 'Exchange tokens are asked for at the same moment',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  async play(driver) {
    const both = [
      ['Ada', await driver.user('Ada')],
      ['Ben', await driver.user('Ben')],
    ] as const;
    for (const [name, user] of both) {
      await driver.signIn(user, `${name} signs in`);
      await driver.mustSucceed(user, 'exchangeToken', `${name} asks for an exchange token`);
    }
    const tokens = both.map(([name, user]) => {
      return { user, step: 'exchangeToken', label: `${name} asks for exchange tokens at once` } as const;
    });
    await driver.atOnce(Array.from({ length: TOKEN_COUNT }, () => tokens).flat());
  },
  checks: [],
});

const ROUNDS = [1, 2, 3, 4] as const;

export const manyTokens = flow({
  id: 'many-tokens',
  title: 'One user signs in many times, asks for many exchange tokens',
  needs: ['confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => 3 * resend,
  async play(driver) {
    const dan = await driver.user('Dan');
    for (const round of ROUNDS) {
      if (round > 1 && !(await driver.passResendPause())) return;
      await driver.signIn(dan, `sign in, time ${round}`);
      await driver.mustSucceed(dan, 'exchangeToken', `exchange token a, time ${round}`);
      await driver.mustSucceed(dan, 'exchangeToken', `exchange token b, time ${round}`);
    }
  },
  checks: [],
});
