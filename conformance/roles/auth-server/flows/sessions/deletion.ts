import { SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { END_WHERE_VERIFIED, endedRefused } from '../ending.ts';
import { check, done, flow } from '../flow.ts';
import { keptAfter } from '../links/returning-user.ts';
import { isDone } from '../step-values.ts';

export const deletion = flow({
  id: 'deletion',
  title:
    'A linked user is deleted, the EHR server disconnected first, and signs in again; another linked user returns',
  needs: ['confirmOtp', 'exchangeToken', 'deleteUser'],
  people: 2,
  waits: ({ resend }) => resend,
  async play(driver) {
    const oda = await driver.linked('Oda');
    const ned = await driver.user('Ned');
    await driver.signIn(ned, 'sign in');
    await driver.link(ned, 'link');
    await driver.mustSucceed(ned, 'exchangeToken', 'before the deletion');
    // A client removes the link at the EHR server before it deletes the user.
    await driver.mustCallEhr(ned, 'removeAuthentication', 'disconnect at the EHR server');
    await driver.mustSucceed(ned, 'deleteUser', 'delete');
    await driver.perform(ned, 'exchangeToken', 'after the deletion', { defect: 'the user was deleted' });
    await driver.passResendPause();
    await driver.trySignIn(oda, 'Oda returns after the deletion of Ned, without a signature');
    await driver.signIn(ned, 'sign in anew');
    await driver.link(ned, 'link anew');
  },
  checks: [
    check({
      id: 'deleted-session-refused',
      title: 'After the deletion the session gets no exchange token',
      requirements: ['K-session-ends'],
      control: ['before the deletion'],
      expect: { 'after the deletion': endedRefused },
      advice: END_WHERE_VERIFIED,
    }),
    check({
      id: 'deleted-user-forgotten',
      title: 'A user who was deleted signs in as new: no earlier user_sign is used',
      requirements: ['K-deletion-forgets'],
      judge(steps) {
        const played = steps.of('sign in anew');
        const isSaved = sentTo(played, SAVE_AUTH_INFO).length > 0;
        if (!isSaved && isDone(played)) return undefined;
        return {
          expected: 'a sign-in without save_auth_info',
          actual: isSaved
            ? 'save_auth_info was sent with a user_sign of before'
            : 'the sign-in did not succeed',
          shownBy: [played],
          timeSensitive: !isSaved,
          ...(isSaved && { explains: ['own-user-sign'] }),
        };
      },
      advice: "Delete the user_sign with the rest of the user's data.",
    }),
    check({
      id: 'deleted-user-links-anew',
      title: 'A user who was deleted can sign in and link again',
      requirements: ['K-not-locked-out'],
      judge: (steps) =>
        done('the new link succeeds').judge('link anew', [
          steps.find('link anew: report') ?? steps.of('link anew: authenticate'),
        ]),
      advice: 'Treat a deleted user like one who was never there.',
    }),
    keptAfter({
      id: 'link-kept-over-others-deletion',
      title: 'A user is saved when they return after somebody else was deleted',
      isOthers: true,
      returns: 'Oda returns after the deletion of Ned, without a signature',
    }),
  ],
});
