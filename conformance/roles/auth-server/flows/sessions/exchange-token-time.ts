import { EXCHANGE_TOKEN_LIFETIME_MS } from '#protocol/limits.ts';
import { check, flow } from '../flow.ts';
import { fault, isDone, unclear, yielded } from '../step-values.ts';

const MINUTE_MS = 60_000;

export const exchangeTokenTime = flow({
  id: 'exchange-token-time',
  title:
    'Exchange tokens are asked for a second before and a second after the ten minutes of the first have run out',
  needs: ['confirmOtp', 'exchangeToken'],
  async play(driver) {
    const ben = await driver.signedIn('Ben');
    // The session must live a minute longer than an exchange token; without a ttl it is taken to.
    if (
      !driver.canAdvanceTime ||
      Number(ben.ttl ?? Number.POSITIVE_INFINITY) * MINUTE_MS < EXCHANGE_TOKEN_LIFETIME_MS + MINUTE_MS
    ) {
      driver.note(
        'The ten minutes of an exchange token were not waited for: the clock cannot be moved so far.',
      );
      return;
    }
    await driver.mustSucceed(ben, 'exchangeToken', 'exchange token');
    await driver.advanceTime(EXCHANGE_TOKEN_LIFETIME_MS - 1_000);
    await driver.perform(ben, 'exchangeToken', 'exchange token after 9:59');
    await driver.advanceTime(2_000);
    await driver.perform(ben, 'exchangeToken', 'exchange token after 10:01');
  },
  checks: [
    check({
      id: 'exchange-token-not-given-again',
      title: 'An exchange token is not given again after its ten minutes',
      requirements: ['K-exchange-token-new'],
      leftOut:
        'the adapter has no step advanceClock, or sessions live shorter: the ten minutes of an exchange token are not waited for',
      judge(steps) {
        const earlier = [steps.of('exchange token'), ...steps.all('exchange token after 9:59')];
        const later = steps.of('exchange token after 10:01');
        const shownBy = [...earlier, later];
        if (!isDone(later)) return unclear('no exchange token was given after ten minutes', ...shownBy);
        const known = earlier.filter(isDone).map((played) => yielded(played, 'exchangeToken'));
        if (!known.includes(yielded(later, 'exchangeToken'))) return undefined;
        return fault('a new token, as ten minutes have passed', 'a token was given again', ...shownBy);
      },
      advice: 'Keep no exchange token longer than its ten minutes: draw a fresh random one then.',
    }),
  ],
});
