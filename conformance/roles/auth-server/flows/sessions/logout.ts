/**
 * The scenario `logout`: a linked user logs out, and the ended session is tried again. The authorization
 * server must refuse it, and still know the link when the user returns (§4.5).
 */
import { relabelled, succeeds } from '../../../../engine/check/red-change.ts';
import { carriedSession } from '../carried-session.ts';
import { END_WHERE_VERIFIED, endedRefused } from '../ending.ts';
import { check, flow } from '../flow.ts';
import { keptAfter } from '../links/kept-after.ts';

const labelled = (label: string) => ({ scenario: 'logout', label });
// Labels of attempts to use, as a session, a value that came with the answer to the logout.
const CARRIED = 'exchange token with what the answer to the logout carries';
const INVENTED = 'exchange token with an invented value in its place';

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
    const tried = { carried: CARRIED, inventedInstead: INVENTED } as const;
    await driver.tryCarried(mia, 'the value came with the answer to the logout', tried);
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
      id: 'logout-opens-no-session',
      title: 'The answer to a logout carries no other session',
      requirements: ['K-logout-gives-nothing'],
      control: ['log out'],
      judge: (steps) =>
        carriedSession(
          steps,
          { carried: CARRIED, inventedInstead: INVENTED },
          {
            expected: 'the session ends, and the answer carries nothing that serves as a session',
            actual: 'an exchange token was given for a value that the answer to the logout carried',
            shownBy: [steps.of('log out')],
          },
        ),
      advice: 'Answer a logout without any session: users sign in again when they wish to.',
      // A right server's journal has no such attempts: two other steps take their labels.
      red: (journal) => {
        relabelled(labelled('after the logout'), labelled(CARRIED))(journal);
        relabelled(labelled('report after the logout'), labelled(INVENTED))(journal);
        succeeds(labelled(CARRIED))(journal);
      },
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
      more: ['D19-next-sign-in-direct'],
    }),
  ],
});
