/** Scenarios in which a session ends while one of its requests is at the EHR server (§4.5, §4.6). */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { LATE_MS } from '../../../../engine/wire/troubles.ts';
import { SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { controlOf, flow } from '../flow.ts';
import {
  answeredAt,
  CLOCK_MARGIN_MS,
  controlDone,
  faultUnlessSlow,
  isDone,
  unclear,
  yielded,
} from '../step-values.ts';
import { endedRefused } from './endings.ts';

const RETURNS = 'Udo returns during the deletion';
const DELETE_AMID = 'Udo is deleted meanwhile';
const AFTER_RETURN = 'Udo asks for an exchange token after both';

function noneLivesOn(steps: Steps, journal: JournalView): Judgement {
  const [returned, before, ended] = [steps.of(RETURNS), steps.of('Udo signs in'), steps.of(DELETE_AMID)];
  const shownBy = [returned, ended];
  if (!isDone(ended)) return unclear(`the deletion did not succeed (${describe(ended.result)})`, ...shownBy);
  if (sentTo(returned, SAVE_AUTH_INFO).length === 0)
    return unclear('the EHR server was not called, so the deletion overtook nothing', ...shownBy);
  if (!isDone(returned))
    return returned.result.kind === 'failed' && returned.result.what !== 'server-error'
      ? unclear(`the sign-in was not answered (${describe(returned.result)})`, ...shownBy)
      : undefined;
  const after = steps.find(AFTER_RETURN);
  if (!after) return unclear('the session that was opened was not tried', ...shownBy);
  // A server may let the sign-in follow the deletion: then the session is that of a new user, which is right.
  const isSaved = journal
    .exchanges('auth->ehr', SAVE_AUTH_INFO)
    .some(({ facts: { call, reply } }) => reply?.result && call?.token === yielded(returned, 'token'));
  if (!isDone(after) || !isSaved || yielded(returned, 'user') !== yielded(before, 'user')) return undefined;
  return {
    expected: 'no session of the deleted user lives on',
    actual:
      'the sign-in opened one, linked by the signature from before the deletion, and it was given an exchange token',
    shownBy: [...shownBy, after],
  };
}

export const deletionAtSignIn = flow({
  id: 'deletion-at-sign-in',
  title: 'A linked user returns, and is deleted from the first device while the sign-in is at the EHR server',
  needs: ['confirmOtp', 'exchangeToken', 'deleteUser'],
  waits: ({ resend }) => resend,
  async play(driver) {
    const udo = await driver.linked('Udo');
    if (!(await driver.time.passResendPause())) return;
    // A copy: the sign-in below gives `udo` another session, and the first device keeps its own.
    const firstDevice = { ...udo };
    const code = await driver.code(udo, 'Udo requests a code for the return');
    const options = { defect: 'the user is deleted meanwhile', code, userSign: udo.userSign as string };
    // The EHR server answers the sign-in's save_auth_info late, and Udo is deleted meanwhile.
    await driver.whileHeld(
      { user: udo, step: 'confirmOtp', label: RETURNS, options },
      { method: 'auth-info', name: 'late', delay: LATE_MS },
      () => driver.perform(firstDevice, 'deleteUser', DELETE_AMID),
    );
    if (udo.token === firstDevice.token) return;
    await driver.perform(udo, 'exchangeToken', AFTER_RETURN, { defect: 'the user was deleted' });
  },
  checks: {
    'deletion-outlives-sign-in': {
      title: 'A user who was deleted during a sign-in has no session once both have ended',
      requirements: ['K-session-ends'],
      judge: noneLivesOn,
      advice:
        'When the EHR server has answered save_auth_info, look again whether the user is still there before the session is opened.',
    },
  },
});

const REVIVES = 'late-request-revives-nothing';

export const logoutMeanwhile = flow({
  id: 'logout-meanwhile',
  title: 'A session is logged out while its request for an exchange token is at the EHR server',
  needs: ['confirmOtp', 'exchangeToken', 'logout'],
  async play(driver) {
    const fen = await driver.user('Fen');
    await driver.signIn(fen, 'sign in');
    await driver.mustSucceed(fen, 'exchangeToken', 'exchange token before the logout');
    const options = { defect: 'the session is logged out meanwhile' };
    // The kit's EHR server answers the token's save late, and the session is logged out meanwhile.
    await driver.whileHeld(
      { user: fen, step: 'exchangeToken', label: 'exchange token during the logout', options },
      { method: 'exchange-token', name: 'late', delay: LATE_MS },
      () => driver.perform(fen, 'logout', 'log out meanwhile', { expects: controlOf(REVIVES) }),
    );
    await driver.perform(fen, 'exchangeToken', 'exchange token after both', {
      defect: 'the session was logged out',
      expects: [endedRefused(REVIVES)],
    });
  },
  checks: {
    // Judged by what the steps expect.
    [REVIVES]: {
      title: 'A session stays ended when a request that its logout overtook has ended',
      requirements: ['K-session-ends'],
      advice:
        'Write what a request changes of its session only where the session is still there: a request that was under way must not put an ended one back.',
    },
  },
});

const REPORT = 'report during the deletion';
const DELETE = 'delete meanwhile';
const AFTER_DELETION = 'exchange token after both';
const NEW_SIGN_IN = 'sign in again';

function nothingLeft(steps: Steps): Judgement {
  const [after, report, ended] = [steps.of(AFTER_DELETION), steps.of(REPORT), steps.of(DELETE)];
  if (!isDone(ended)) return controlDone(ended, 'the deletion did not succeed');
  const shownBy = [report, ended];
  if (isDone(after))
    return {
      expected: 'the session is refused: its user was deleted',
      actual: 'it was given an exchange token',
      shownBy: [...shownBy, after],
    };
  const late = sentTo(report, SAVE_AUTH_INFO).find(({ at }) => at > answeredAt(ended) + CLOCK_MARGIN_MS);
  if (late)
    return {
      expected: 'nothing is saved for a user who was deleted',
      actual: 'save_auth_info was sent after the deletion was answered',
      shownBy: [...shownBy, late],
    };
  const newSignIn = steps.of(NEW_SIGN_IN);
  const [used] = sentTo(newSignIn, SAVE_AUTH_INFO);
  if (used)
    return {
      expected: 'the next sign-in is that of a new user',
      actual: 'save_auth_info was sent with the user_sign of the deleted user',
      shownBy: [...shownBy, newSignIn, used],
    };
  if (isDone(newSignIn)) return undefined;
  return faultUnlessSlow('the phone signs in as new', describe(newSignIn.result), ...shownBy, newSignIn);
}

export const deletionMeanwhile = flow({
  id: 'deletion-meanwhile',
  title: 'A user is deleted while the report of the link is at the EHR server, and signs in again',
  needs: ['confirmOtp', 'exchangeToken', 'reportLink', 'deleteUser'],
  waits: ({ resend }) => resend,
  async play(driver) {
    const gus = await driver.user('Gus');
    await driver.signIn(gus, 'sign in');
    await driver.mustSucceed(gus, 'exchangeToken', 'exchange token before the deletion');
    await driver.mustCallEhr(gus, 'authenticate', 'authenticate');
    // The kit's EHR server answers the report's save_auth_info late, and Gus is deleted meanwhile.
    await driver.whileHeld(
      { user: gus, step: 'reportLink', label: REPORT, options: { defect: 'the user is deleted meanwhile' } },
      { method: 'auth-info', name: 'late', delay: LATE_MS },
      () => driver.perform(gus, 'deleteUser', DELETE),
    );
    await driver.perform(gus, 'exchangeToken', AFTER_DELETION, { defect: 'the user was deleted' });
    if (!(await driver.time.passResendPause())) return;
    await driver.trySignIn(driver.otherDevice(gus, "Gus's new device"), NEW_SIGN_IN);
  },
  checks: {
    'deletion-outlives-report': {
      title: 'A user who was deleted while the link was reported is gone once both have ended',
      requirements: ['K-session-ends'],
      judge: nothingLeft,
      advice:
        'When the EHR server has answered a report, look again whether the user is still there, and keep nothing of a user who is gone.',
    },
  },
});
