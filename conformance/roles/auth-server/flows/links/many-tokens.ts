/**
 * The scenario `many-tokens`: one user signs in several times, asks for two exchange tokens in each session,
 * and logs an older session out.
 */
import { check, done, flow } from '../flow.ts';
import { newestOutlives } from './beside-others.ts';

const ROUNDS = [1, 2, 3, 4] as const;

/** The advice of checks that an exchange token is given. */
export const TOKEN_ADVICE =
  'Give an exchange token to every session that asks for one, as often as it asks, whether or not its user is linked: a user who disconnected at the EHR server, or chose the wrong form, needs another one.';

export const manyTokens = flow({
  id: 'many-tokens',
  title: 'One user signs in many times, asks for many exchange tokens, and logs out an older session',
  needs: ['confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => 3 * resend,
  async play(driver) {
    const dan = await driver.user('Dan');
    // The user as of the session before the newest: each sign-in gives `dan` a new session.
    let older = dan;
    for (const round of ROUNDS) {
      if (round > 1 && !(await driver.passResendPause())) return;
      older = { ...dan };
      await driver.signIn(dan, `sign in, time ${round}`);
      await driver.mustSucceed(dan, 'exchangeToken', `exchange token a, time ${round}`);
      await driver.mustSucceed(dan, 'exchangeToken', `exchange token b, time ${round}`);
    }
    if (!driver.adapter.has('logout')) return;
    await driver.perform(older, 'logout', 'an older session logs out');
    await driver.perform(dan, 'exchangeToken', 'the newest session asks for an exchange token after it');
  },
  checks: [
    check({
      id: 'exchange-token-asked-again',
      title: 'A session that asks again is given an exchange token',
      requirements: ['K-exchange-token-again'],
      control: ['exchange token a, time 1'],
      expect: { 'exchange token b, time 1': done('an exchange token') },
      advice: TOKEN_ADVICE,
    }),
    newestOutlives,
  ],
});
