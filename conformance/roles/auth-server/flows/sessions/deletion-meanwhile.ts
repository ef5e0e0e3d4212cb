import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import { LATE_MS } from '../../../../engine/wire/troubles.ts';
import { SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { whileHeld } from '../../people/time/overlap.ts';
import { answeredAt, CLOCK_MARGIN_MS } from '../ending.ts';
import { check, flow } from '../flow.ts';
import { fault, isDone, timedFault, unclear } from '../step-values.ts';

const [REPORT, DELETE] = ['report during the deletion', 'delete meanwhile'] as const;
const [AFTER, NEW_SIGN_IN] = ['exchange token after both', 'sign in anew'] as const;

function nothingLeft(steps: Steps): Judgement {
  const [after, report, ended] = [steps.of(AFTER), steps.of(REPORT), steps.of(DELETE)];
  if (!isDone(ended)) return unclear(`the deletion did not succeed (${describe(ended.result)})`, ended);
  const shownBy = [report, ended];
  if (isDone(after))
    return fault(
      'the session is refused: its user was deleted',
      'it was given an exchange token',
      ...shownBy,
      after,
    );
  const late = sentTo(report, SAVE_AUTH_INFO).find(({ at }) => at > answeredAt(ended) + CLOCK_MARGIN_MS);
  if (late)
    return fault(
      'nothing is saved for a user who was deleted',
      'save_auth_info was sent after the deletion was answered',
      ...shownBy,
      late,
    );
  const newSignIn = steps.of(NEW_SIGN_IN);
  const [used] = sentTo(newSignIn, SAVE_AUTH_INFO);
  if (used)
    return fault(
      'the next sign-in is that of a new user',
      'save_auth_info was sent with the user_sign of the deleted user',
      ...shownBy,
      newSignIn,
      used,
    );
  if (isDone(newSignIn)) return undefined;
  return timedFault('the phone signs in as new', describe(newSignIn.result), ...shownBy, newSignIn);
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
    await whileHeld(
      driver,
      { user: gus, step: 'reportLink', label: REPORT, options: { defect: 'the user is deleted meanwhile' } },
      { method: 'auth-info', name: 'late', delay: LATE_MS },
      () => driver.perform(gus, 'deleteUser', DELETE),
    );
    await driver.perform(gus, 'exchangeToken', AFTER, { defect: 'the user was deleted' });
    if (!(await driver.passResendPause())) return;
    await driver.trySignIn(driver.otherDevice(gus, 'Gus anew'), NEW_SIGN_IN);
  },
  checks: [
    check({
      id: 'deletion-outlives-report',
      title: 'A user who was deleted while the link was reported is gone once both have ended',
      requirements: ['K-session-ends'],
      judge: nothingLeft,
      advice:
        'When the EHR server has answered a report, look again whether the user is still there, and keep nothing of a user who is gone.',
    }),
  ],
});
