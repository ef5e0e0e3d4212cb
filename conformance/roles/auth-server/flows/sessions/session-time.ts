import type { Driver, User } from '../../people/driver.ts';
import { check, flow, refused } from '../flow.ts';
import {
  AT_LINK,
  countsMinutes,
  livesAsTold,
  MINUTE_BEFORE,
  SECONDS_AFTER,
  SECONDS_BEFORE,
  SIGN_IN,
  whyNotTried,
} from './told-ttl.ts';

const MINUTE_MS = 60_000;

export const sessionTime = flow({
  id: 'session-time',
  title: 'A session is tried a minute before its told end and a minute after it',
  needs: ['confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => resend,
  async play(driver) {
    const abe = await driver.user('Abe');
    // Earlier tries count from the first of these moments, later ones from the second.
    const began = driver.now();
    await driver.signIn(abe, SIGN_IN);
    const ended = driver.now();
    await driver.link(abe, 'Abe links');
    const lifetime = Number(abe.ttl ?? Number.NaN) * MINUTE_MS;
    let endsEarly = false;
    if (driver.canAdvanceTime && Number.isFinite(lifetime)) {
      await driver.advanceTime(began + lifetime - MINUTE_MS - driver.now());
      const result = await driver.perform(abe, 'exchangeToken', MINUTE_BEFORE);
      driver.observe(MINUTE_BEFORE, { isInTime: driver.now() < began + lifetime });
      endsEarly = result.kind === 'refused';
      await driver.advanceTime(ended + lifetime + MINUTE_MS - driver.now());
    } else if (!(await driver.expireSession(abe))) {
      driver.note('The end of a session was not tried: it can neither be ended early nor be waited for.');
      return;
    }
    const defect = 'the session has ended by its ttl';
    await driver.perform(abe, 'exchangeToken', 'after the end of the session', { defect });
    if (driver.adapter.has('reportLink'))
      await driver.perform(abe, 'reportLink', 'report after the end of the session', { defect });
    if (endsEarly && lifetime > 60 * MINUTE_MS) await trySeconds(driver, abe, lifetime / 60);
  },
  checks: [
    check({
      id: 'expired-session-refused',
      title: 'After its ttl a session gets no exchange token',
      requirements: ['K-session-expires'],
      leftOut: whyNotTried,
      control: [AT_LINK],
      expect: { 'after the end of the session': refused('the session is refused', { nothingSent: true }) },
      advice: 'Compare the end of the session with your clock wherever a session is verified.',
    }),
    check({
      id: 'expired-session-not-saved',
      title: 'After its ttl a session is not saved at the EHR server',
      requirements: ['K-session-expires'],
      leftOut: (journal) =>
        journal.step({ scenario: 'session-time', label: 'after the end of the session' })
          ? 'the adapter declares that the server has no reportLink'
          : whyNotTried(journal),
      control: ['Abe links: report'],
      expect: {
        'report after the end of the session': refused('the report is refused', { nothingSent: true }),
      },
      advice: 'Compare the end of the session with your clock wherever a session is verified.',
    }),
    check({
      id: 'session-lives-as-told',
      title: 'A session lives for as many minutes as its client was told',
      requirements: ['K-ttl-as-told'],
      leftOut: whyNotTried,
      judge: livesAsTold,
      advice: 'Tell the client, and send to the EHR server, the minutes that the session really lives.',
    }),
    check({
      id: 'ttl-counts-minutes',
      title: 'The ttl that is sent to the EHR server counts minutes',
      requirements: ['D9-ttl-minutes'],
      judge: countsMinutes,
      advice: 'Send the lifetime in minutes: a session of one day is 1440.',
    }),
  ],
});

/** Tries a new session a minute before and after as many seconds as its ttl has minutes. */
async function trySeconds(driver: Driver, abe: User, lifetime: number) {
  await driver.passResendPause();
  const began = driver.now();
  await driver.signIn(abe, 'Abe signs in again');
  const ended = driver.now();
  await driver.advanceTime(began + lifetime - MINUTE_MS - driver.now());
  await driver.perform(abe, 'exchangeToken', SECONDS_BEFORE);
  await driver.advanceTime(ended + lifetime + MINUTE_MS - driver.now());
  await driver.perform(abe, 'exchangeToken', SECONDS_AFTER);
}
