/** The ends of sessions and of exchange tokens, tried a minute or a second before and after. */
import { EXCHANGE_TOKEN_LIFETIME_MS } from '#protocol/limits.ts';
import type { Driver, User } from '../../player/driver.ts';
import { scenario } from '../scenario.ts';

const MINUTE_MS = 60_000;

export const sessionTime = scenario({
  id: 'session-time',
  title: 'A session is tried a minute before its told end and a minute after it, and its user returns',
  needs: ['confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => resend,
  steps: {
    signIn: 'Abe signs in',
    link: 'Abe links',
    beforeEnd: 'a minute before the end of the session',
    lastMoment: 'half a minute before the end of the session',
    afterEnd: 'after the end of the session',
    reportAfter: 'report after the end of the session',
    returns: 'return after the end of the session, without a signature',
    secondsSignIn: 'Abe signs in again',
    secondsBefore: 'a minute before the end, if the ttl counts seconds',
    secondsAfter: 'a minute after the end, if the ttl counts seconds',
  },
  async run(driver, steps) {
    const abe = await driver.user('Abe');
    const began = driver.now();
    await driver.signIn(abe, steps.signIn);
    const ended = driver.now();
    await driver.link(abe, steps.link);
    const lifetime = Number(abe.ttl ?? Number.NaN) * MINUTE_MS;
    let endsEarly = false;
    if (driver.canAdvanceTime && Number.isFinite(lifetime)) {
      await driver.advanceTime(began + lifetime - MINUTE_MS - driver.now());
      const result = await driver.perform(abe, 'exchangeToken', steps.beforeEnd);
      driver.observe(steps.beforeEnd, { isInTime: driver.now() < began + lifetime });
      endsEarly = result.kind === 'refused';
      if (result.kind === 'done') {
        await driver.advanceTime(began + lifetime - MINUTE_MS / 2 - driver.now());
        await driver.perform(abe, 'exchangeToken', steps.lastMoment);
        driver.observe(steps.lastMoment, { isInTime: driver.now() < began + lifetime });
      }
      await driver.advanceTime(ended + lifetime + MINUTE_MS - driver.now());
    } else if (!(await driver.expireSession(abe))) {
      driver.note('The end of a session was not tried: it can neither be ended early nor be waited for.');
      return;
    }
    const defect = 'the session has ended by its ttl';
    await driver.perform(abe, 'exchangeToken', steps.afterEnd, { defect });
    if (driver.adapter.has('reportLink')) await driver.perform(abe, 'reportLink', steps.reportAfter, { defect });
    if (await driver.passResendPause()) await driver.trySignIn({ ...abe }, steps.returns);
    if (endsEarly && lifetime > 60 * MINUTE_MS) await trySeconds(driver, abe, lifetime / 60, steps);
  },
});

/** Tests whether a session that ended too early lives as many seconds as it should live minutes. */
async function trySeconds(driver: Driver, abe: User, lifetime: number, steps: typeof sessionTime.steps) {
  await driver.passResendPause();
  const began = driver.now();
  await driver.signIn(abe, steps.secondsSignIn);
  const ended = driver.now();
  await driver.advanceTime(began + lifetime - MINUTE_MS - driver.now());
  await driver.perform(abe, 'exchangeToken', steps.secondsBefore);
  await driver.advanceTime(ended + lifetime + MINUTE_MS - driver.now());
  await driver.perform(abe, 'exchangeToken', steps.secondsAfter);
}

export const exchangeTokenTime = scenario({
  id: 'exchange-token-time',
  title: 'Exchange tokens are asked for a second before and a second after the ten minutes of the first have run out',
  needs: ['confirmOtp', 'exchangeToken'],
  steps: {
    signIn: 'Ben signs in',
    first: 'exchange token',
    inTime: 'exchange token after 9:59',
    afterwards: 'exchange token after 10:01',
  },
  async run(driver, steps) {
    const ben = await driver.user('Ben');
    await driver.signIn(ben, steps.signIn);
    if (
      !driver.canAdvanceTime ||
      Number(ben.ttl ?? Number.POSITIVE_INFINITY) * MINUTE_MS < EXCHANGE_TOKEN_LIFETIME_MS + MINUTE_MS
    ) {
      driver.note('The ten minutes of an exchange token were not waited for: the clock cannot be moved so far.');
      return;
    }
    await driver.mustSucceed(ben, 'exchangeToken', steps.first);
    await driver.advanceTime(EXCHANGE_TOKEN_LIFETIME_MS - 1_000);
    await driver.perform(ben, 'exchangeToken', steps.inTime);
    await driver.advanceTime(2_000);
    await driver.perform(ben, 'exchangeToken', steps.afterwards);
  },
});
