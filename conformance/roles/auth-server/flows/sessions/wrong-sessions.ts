import { flow } from '../flow.ts';
import { MIXED, wrongSessionChecks } from './wrong-session-checks.ts';

export const wrongSessions = flow({
  id: 'wrong-sessions',
  title: 'Exchange tokens are asked for without a session, with an invented one, and with the parts of two',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  async play(driver) {
    const [kim, lea] = [await driver.signedIn('Kim'), await driver.signedIn('Lea')];
    await driver.mustSucceed(kim, 'exchangeToken', 'with the right session');
    // How a request shows its session: by the user, or by a value kept from the sign-in.
    const { user: namesUser, kept } = driver.whoCalls('exchangeToken');
    const defect = 'the token was never given out';
    const invented = driver.spoiltSession(kim, 'invented');
    // Copies of the user: what an attempt yields must not replace Kim's own values.
    await driver.perform({ ...kim }, 'exchangeToken', 'with an invented token', { defect, ...invented });
    if (namesUser)
      await driver.perform({ ...kim }, 'exchangeToken', 'with an invented token and no user', {
        defect,
        ...invented,
        user: '',
      });
    for (const [how, label] of [
      ['changed', 'with one character of the token changed'],
      ['last changed', 'with the last character of the token changed'],
      ['cut', 'with half of the token'],
    ] as const)
      await driver.perform({ ...kim }, 'exchangeToken', label, { defect, ...driver.spoiltSession(kim, how) });
    if (namesUser) {
      driver.observe(MIXED, { shownByKeptValue: kept });
      await driver.perform({ ...kim }, 'exchangeToken', MIXED, {
        defect: 'user and token belong to two sessions',
        token: lea.token as string,
      });
    } else {
      driver.note(
        'A client of this server names no user beside its token, so the parts of two sessions cannot be mixed.',
      );
    }
    await driver.perform({ ...kim }, 'exchangeToken', 'without a session', {
      defect: 'there is no session at all',
      withoutSession: true,
    });
    await driver.perform({ ...kim }, 'exchangeToken', 'without the token and what carries it', {
      defect: 'there is no token',
      withoutToken: true,
    });
    await driver.mustSucceed(kim, 'exchangeToken', 'with the right session again');
  },
  checks: wrongSessionChecks,
});
