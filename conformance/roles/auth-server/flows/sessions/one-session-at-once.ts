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
