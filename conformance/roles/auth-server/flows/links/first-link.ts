/** The scenario `first-link`: a new user signs in and is linked to a patient, as the interface intends. */

import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { replyWords, SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { sessionsOf } from '../../rules/given-sessions.ts';
import { check, flow } from '../flow.ts';
import { isDone } from '../step-values.ts';

export const firstLink = flow({
  id: 'first-link',
  title: 'A new user signs in, is not known to the EHR server, and is linked through the exchange token',
  needs: ['confirmOtp', 'exchangeToken'],
  when: 'alone',
  async play(driver) {
    const ann = await driver.user('Ann');
    await driver.signIn(ann, 'sign in');
    await driver.callEhr(ann, 'getPatient', 'get patient before the link', {
      defect: 'the user is not linked yet',
    });
    await driver.link(ann, 'link');
    await driver.mustCallEhr(ann, 'getPatient', 'get patient after the link');
  },
  checks: [
    check({
      id: 'first-sign-in-not-saved',
      title: 'The sign-in of a user who was never linked does not claim a session at the EHR server',
      requirements: ['K-saves-in-their-place'],
      judge(steps) {
        const before = steps.of('get patient before the link');
        if (before.result.kind === 'failed')
          return { unclear: describe(before.result), shownBy: [before], blame: 'harness' };
        if (before.result.kind !== 'refused')
          return {
            expected: 'not_authorized, so that the client shows the form',
            actual: 'patient data was given',
            shownBy: [before],
          };
        const after = steps.of('get patient after the link');
        return isDone(after)
          ? undefined
          : { unclear: 'the same call was refused after the link as well', shownBy: [before, after] };
      },
      advice: 'Save no session for a user who was not matched to a patient.',
    }),
    check({
      id: 'link-recorded',
      title: 'When the client reports the link, the session is saved by save_auth_info',
      requirements: ['1-session-saved-after-link'],
      settled: (steps) =>
        !steps.find('link: report') && steps.find('get patient after the link')
          ? { notApplicable: 'the adapter declares that the server has no reportLink' }
          : undefined,
      judge: (steps, journal) => notRecorded(steps, journal),
      advice: 'Send save_auth_info when you learn that the EHR server has linked the user.',
    }),
  ],
});

/**
 * Judges whether the report of the link made the server save the session at the EHR server, before the client
 * was answered.
 */
function notRecorded(steps: Steps, journal: JournalView): Judgement {
  const played = steps.of('link: report');
  const [save] = sentTo(played, SAVE_AUTH_INFO);
  if (save?.facts.reply?.result) return { right: [played] };
  // `how` says what became of the save; `late` is a save that came after the client was answered.
  const { how, late } = save ? { how: `it was ${replyWords(save)}` } : otherSave(journal, played);
  if (late?.facts.reply?.result)
    return {
      expected: 'save_auth_info before the client is told that the link is known',
      actual: 'it was sent, and accepted, after the client had been answered',
      shownBy: [played, late],
      advice:
        'Answer the report when the EHR server has acknowledged the session: a client that reads the record at once would be refused, and learns nothing of a save that fails.',
      timeSensitive: true,
    };
  return {
    expected: 'save_auth_info for this user and token, accepted',
    actual: how,
    shownBy: [played],
    timeSensitive: true,
  };
}

/**
 * Looks for the save of the reporting user's session outside of the report.
 * @returns `how`: whether and when the newest session was saved; `late`: a save after the report was answered
 */
function otherSave(journal: JournalView, { step: { scenario, user, seq }, endedAt }: PlayedStep) {
  const tokens = sessionsOf(journal)
    .filter(({ played: { step } }) => step.scenario === scenario && step.user === user)
    .map(({ token }) => token);
  const saves = journal.exchanges('auth->ehr', SAVE_AUTH_INFO);
  const late = saves.find(({ at, facts }) => at >= endedAt && tokens.includes(facts.call?.token ?? ''));
  const save = saves.find(({ facts }) => facts.call?.token === tokens.at(-1));
  const when = save && save.seq < seq ? 'it came before the report' : 'it came after the client was answered';
  return { how: save ? when : 'it was not sent', late };
}
