import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { LATE_MS } from '../../../../engine/wire/troubles.ts';
import { SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { whileHeld } from '../../people/time/overlap.ts';
import { check, flow } from '../flow.ts';
import { fault, isDone, unclear, yielded } from '../step-values.ts';

const ID = 'deletion-at-sign-in';
const [SIGN_IN, RETURNS] = ['Udo signs in', 'Udo returns during the deletion'] as const;
const [DELETE, AFTER] = ['Udo is deleted meanwhile', 'Udo asks for an exchange token after both'] as const;

function noneLivesOn(steps: Steps, journal: JournalView): Judgement {
  const [returned, before, ended] = [steps.of(RETURNS), steps.of(SIGN_IN), steps.of(DELETE)];
  const shownBy = [returned, ended];
  if (!isDone(ended)) return unclear(`the deletion did not succeed (${describe(ended.result)})`, ...shownBy);
  if (sentTo(returned, SAVE_AUTH_INFO).length === 0)
    return unclear('the EHR server was not called, so the deletion overtook nothing', ...shownBy);
  if (!isDone(returned))
    return returned.result.kind === 'failed' && returned.result.what !== 'server-error'
      ? unclear(`the sign-in was not answered (${describe(returned.result)})`, ...shownBy)
      : undefined;
  const after = steps.find(AFTER);
  if (!after) return unclear('the session that was opened was not tried', ...shownBy);
  // A server may let the sign-in follow the deletion: then the session is that of a new user, which is right.
  const isSaved = journal
    .exchanges('auth->ehr', SAVE_AUTH_INFO)
    .some(({ facts: { call, reply } }) => reply?.result && call?.token === yielded(returned, 'token'));
  if (!isDone(after) || !isSaved || yielded(returned, 'user') !== yielded(before, 'user')) return undefined;
  return fault(
    'no session of the deleted user lives on',
    'the sign-in opened one, linked by the signature from before the deletion, and it was given an exchange token',
    ...shownBy,
    after,
  );
}

export const deletionAtSignIn = flow({
  id: ID,
  title: 'A linked user returns, and is deleted from the first device while the sign-in is at the EHR server',
  needs: ['confirmOtp', 'exchangeToken', 'deleteUser'],
  waits: ({ resend }) => resend,
  async play(driver) {
    const udo = await driver.linked('Udo');
    if (!(await driver.passResendPause())) return;
    // A copy: the sign-in below gives `udo` another session, and the first device keeps its own.
    const firstDevice = { ...udo };
    const code = await driver.code(udo, 'Udo requests a code for the return');
    const input = { code, userSign: udo.userSign as string };
    // The EHR server answers the sign-in's save_auth_info late, and Udo is deleted meanwhile.
    await whileHeld(
      driver,
      {
        user: udo,
        step: 'confirmOtp',
        label: RETURNS,
        options: { defect: 'the user is deleted meanwhile', ...input },
      },
      { method: 'auth-info', name: 'late', delay: LATE_MS },
      () => driver.perform(firstDevice, 'deleteUser', DELETE),
    );
    // The sign-in opened no session, so there is none to try.
    if (udo.token === firstDevice.token) return;
    await driver.perform(udo, 'exchangeToken', AFTER, { defect: 'the user was deleted' });
  },
  checks: [
    check({
      id: 'deletion-outlives-sign-in',
      title: 'A user who was deleted during a sign-in has no session once both have ended',
      requirements: ['K-session-ends'],
      judge: noneLivesOn,
      advice:
        'When the EHR server has answered save_auth_info, look again whether the user is still there before the session is opened.',
    }),
  ],
});
