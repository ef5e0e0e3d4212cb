import { END_WHERE_VERIFIED, endedRefused } from '../ending.ts';
import { check, flow } from '../flow.ts';
import { keptAfter } from '../links/returning-user.ts';

export const logout = flow({
  id: 'logout',
  title:
    'A linked user logs out, the EHR server first, the session is tried afterwards, and the user returns',
  needs: ['confirmOtp', 'exchangeToken', 'logout'],
  waits: ({ resend }) => resend,
  async play(driver) {
    const mia = await driver.user('Mia');
    await driver.signIn(mia, 'sign in');
    await driver.link(mia, 'link');
    await driver.mustSucceed(mia, 'exchangeToken', 'before the logout');
    await driver.mustCallEhr(mia, 'removeAuthInfo', 'log out at the EHR server');
    await driver.mustSucceed(mia, 'logout', 'log out');
    const defect = 'the session was logged out';
    await driver.perform(mia, 'exchangeToken', 'after the logout', { defect });
    if (driver.adapter.has('reportLink'))
      await driver.perform(mia, 'reportLink', 'report after the logout', { defect });
    if (await driver.passResendPause())
      await driver.trySignIn({ ...mia }, 'return after the logout, without a signature');
  },
  checks: [
    check({
      id: 'logged-out-session-refused',
      title: 'After the logout the session gets no exchange token',
      requirements: ['K-session-ends'],
      control: ['before the logout'],
      expect: { 'after the logout': endedRefused },
      explains: ['ended-session-stays-ended', 'logged-out-session-not-saved'],
      advice: END_WHERE_VERIFIED,
    }),
    check({
      id: 'logged-out-session-not-saved',
      title: 'After the logout no session is saved for it',
      requirements: ['K-session-ends'],
      control: ['link: report'],
      expect: { 'report after the logout': endedRefused },
      advice: END_WHERE_VERIFIED,
    }),
    keptAfter({
      id: 'link-kept-over-logout',
      title: 'A user who logged out is saved when they return',
      returns: 'return after the logout, without a signature',
    }),
  ],
});
