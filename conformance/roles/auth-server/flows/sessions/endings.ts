/** Scenarios of sessions that end by a logout or a deletion, and are tried afterwards (§4.5, §4.6). */
import { isFault, type Judgement, type Steps } from '../../../../engine/check/steps.ts';
import type { Expects } from '../../../../engine/journal/entry.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import { SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import type { User } from '../../people/driver.ts';
import { confirm, opensNoSession } from '../codes/guesses.ts';
import { flow, refused, unrefused } from '../flow.ts';
import { keptAfter } from '../links/returning-user.ts';
import { controlDone, faultUnlessSlow, isDone } from '../step-values.ts';

export const endedRefused = (check: string) =>
  refused('the ended session is refused', { check, nothingSent: true });

const END_WHERE_VERIFIED =
  'End the session where it is verified, before the client is told that it has ended.';

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
    await driver.perform(ned, 'exchangeToken', 'after the deletion', {
      defect: 'the user was deleted',
      expects: [endedRefused('deleted-session-refused')],
    });
    await driver.time.passResendPause();
    await driver.trySignIn(oda, 'Oda returns after the deletion of Ned, without a signature');
    await driver.signIn(ned, 'sign in again');
    await driver.link(ned, 'link again');
  },
  checks: {
    'deleted-session-refused': {
      title: 'After the deletion the session gets no exchange token',
      requirements: ['K-session-ends'],
      advice: END_WHERE_VERIFIED,
    },
    'deleted-user-forgotten': {
      title: 'A user who was deleted signs in as new: no earlier user_sign is used',
      requirements: ['K-deletion-forgets'],
      judge(steps) {
        const played = steps.of('sign in again');
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
    },
    'deleted-user-links-anew': {
      title: 'A user who was deleted can sign in and link again',
      requirements: ['K-not-locked-out'],
      judge(steps) {
        const last = steps.find('link again: report') ?? steps.of('link again: authenticate');
        return isDone(last)
          ? undefined
          : faultUnlessSlow('the new link succeeds', describe(last.result), last);
      },
      advice: 'Treat a deleted user like one who was never there.',
    },
    'link-kept-over-others-deletion': keptAfter({
      title: 'A user is saved when they return after somebody else was deleted',
      isOthers: true,
      returns: 'Oda returns after the deletion of Ned, without a signature',
    }),
  },
});

/** How much time (ms) passes at the end: enough for a server that removes old rows now and then. */
const HOUR_MS = 3_600_000;

const FIRST = 'the first code confirms';
const SECOND = 'the second code confirms';
const LOGOUT = 'the first session logs out';
const USED = [
  'the used code, after another one was requested',
  'the used code, after another sign-in',
  'the used code, an hour later',
] as const;
const ENDED = ['the ended session, after another sign-in', 'the ended session, an hour later'] as const;

const CODE_DEFECT = 'the code was used already';
const SESSION_DEFECT = 'the session was logged out';

/** Judges whether all tries were refused. Those after an hour may be missing: it may not have passed. */
function allRefused(steps: Steps, labels: readonly [string, ...string[]], expects: Expects): Judgement {
  const judged = labels.map((label) => unrefused(steps.all(label), expects));
  const wrong = judged.find(isFault) ?? judged.find((each) => each !== undefined);
  if (wrong) return wrong;
  steps.of(labels[0]);
  return controlDone(steps.of(SECOND));
}

export const againLater = flow({
  id: 'again-later',
  title: 'A used code and an ended session are tried again after other requests and after an hour',
  needs: ['requestOtp', 'confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => resend,
  async play(driver) {
    const yara = await driver.user('Yara');
    const first = await driver.code(yara, 'Yara requests a first code');
    await confirm(driver, yara, FIRST, first);
    const ended: User = { ...yara };
    const isEnded =
      driver.adapter.has('logout') && (await driver.perform(ended, 'logout', LOGOUT)).kind === 'done';
    const tryUsed = (label: (typeof USED)[number]) =>
      confirm(driver, driver.otherDevice(yara, 'a stranger with the used code'), label, first, CODE_DEFECT);
    const tryEnded = async (label: (typeof ENDED)[number]) => {
      if (isEnded) await driver.perform({ ...ended }, 'exchangeToken', label, { defect: SESSION_DEFECT });
    };
    if (!(await driver.time.passResendPause())) return;
    const second = await driver.code(yara, 'Yara requests a second code');
    await tryUsed(USED[0]);
    await confirm(driver, yara, SECOND, second);
    await tryUsed(USED[1]);
    await tryEnded(ENDED[0]);
    if (!(await driver.time.advance(HOUR_MS))) return;
    await tryUsed(USED[2]);
    await tryEnded(ENDED[1]);
  },
  checks: {
    'used-code-stays-used': {
      title: 'A code that was used opens no session later either',
      requirements: ['K-code-once'],
      judge: (steps) => allRefused(steps, USED, opensNoSession()),
      advice:
        'Remove a code when it is used; a request for another code brings none of the earlier ones back.',
    },
    'ended-session-stays-ended': {
      title: 'A session that was logged out opens nothing later either',
      requirements: ['K-session-ends'],
      judge(steps) {
        const loggedOut = steps.find(LOGOUT);
        return (
          (loggedOut && controlDone(loggedOut)) ??
          allRefused(steps, ENDED, endedRefused('ended-session-stays-ended'))
        );
      },
      advice: END_WHERE_VERIFIED,
    },
  },
});

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
    const refusedFor = (check: string) => ({ defect, expects: [endedRefused(check)] });
    await driver.perform(mia, 'exchangeToken', 'after the logout', refusedFor('logged-out-session-refused'));
    if (driver.adapter.has('reportLink'))
      await driver.perform(
        mia,
        'reportLink',
        'report after the logout',
        refusedFor('logged-out-session-not-saved'),
      );
    if (await driver.time.passResendPause())
      await driver.trySignIn({ ...mia }, 'return after the logout, without a signature');
  },
  checks: {
    'logged-out-session-refused': {
      title: 'After the logout the session gets no exchange token',
      requirements: ['K-session-ends'],
      explains: ['ended-session-stays-ended', 'logged-out-session-not-saved'],
      advice: END_WHERE_VERIFIED,
    },
    'logged-out-session-not-saved': {
      title: 'After the logout no session is saved for it',
      requirements: ['K-session-ends'],
      advice: END_WHERE_VERIFIED,
    },
    'link-kept-over-logout': keptAfter({
      title: 'A user who logged out is saved when they return',
      returns: 'return after the logout, without a signature',
    }),
  },
});
