/**
 * The scenario `one-session-at-once`: the sessions of two users ask for several exchange tokens at the same
 * moment (§1 rule 4).
 */
import { flow } from '../flow.ts';

/** The number of exchange tokens that one user requests at the same moment. */
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
  // Rules about all messages judge what is recorded here.
  checks: [],
});
