/** Exchange tokens asked for with sessions that are missing, invented or of somebody else. */
import { scenario } from '../scenario.ts';

export const wrongSessions = scenario({
  id: 'wrong-sessions',
  title: 'Exchange tokens are asked for without a session, with an invented one, and with the parts of two',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  steps: {
    kim: 'Kim signs in',
    lea: 'Lea signs in',
    right: 'with the right session',
    invented: 'with an invented token',
    inventedAlone: 'with an invented token and no user',
    changed: 'with one character of the token changed',
    lastChanged: 'with the last character of the token changed',
    cut: 'with half of the token',
    otherCase: 'with upper and lower case of the token exchanged',
    insideText: 'with the token between two more characters',
    mixed: "with another user's token",
    none: 'without a session',
    noToken: 'without the token and what carries it',
    rightAgain: 'with the right session again',
  },
  async run(driver, steps) {
    const [kim, lea] = [await driver.user('Kim'), await driver.user('Lea')];
    await driver.signIn(kim, steps.kim);
    await driver.signIn(lea, steps.lea);
    await driver.mustSucceed(kim, 'exchangeToken', steps.right);
    const { user: namesUser, kept } = driver.whoCalls('exchangeToken');
    const defect = 'the token was never given out';
    const invented = driver.spoiltSession(kim, 'invented');
    await driver.perform({ ...kim }, 'exchangeToken', steps.invented, { defect, input: invented });
    if (namesUser)
      await driver.perform({ ...kim }, 'exchangeToken', steps.inventedAlone, {
        defect,
        input: { ...invented, user: '' },
      });
    for (const [how, label] of [
      ['changed', steps.changed],
      ['last changed', steps.lastChanged],
      ['cut', steps.cut],
      ['other case', steps.otherCase],
      ['inside a text', steps.insideText],
    ] as const)
      await driver.perform({ ...kim }, 'exchangeToken', label, { defect, input: driver.spoiltSession(kim, how) });
    if (namesUser) {
      driver.observe(steps.mixed, { shownByKeptValue: kept });
      await driver.perform({ ...kim }, 'exchangeToken', steps.mixed, {
        defect: 'user and token belong to two sessions',
        input: { token: lea.token as string },
      });
    } else {
      driver.note(
        'A client of this server names no user beside its token, so the parts of two sessions cannot be mixed.',
      );
    }
    await driver.perform({ ...kim }, 'exchangeToken', steps.none, {
      defect: 'there is no session at all',
      input: { withoutSession: true },
    });
    await driver.perform({ ...kim }, 'exchangeToken', steps.noToken, {
      defect: 'there is no token',
      input: { withoutToken: true },
    });
    await driver.mustSucceed(kim, 'exchangeToken', steps.rightAgain);
  },
});
