/** Exchange tokens: when they are given, and to whom (§1 rules 4 and 6, §2.4, §4.2). */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  fail,
  notApplicable,
  notRun,
  pass,
  replyWords,
  SAVE_AUTH_INFO,
  sentTo,
} from '../../../../engine/check/judging.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { firstLink } from '../../flows/links/linking.ts';
import { part } from '../../flows/scenario.ts';
import { sessionsOf } from '../../rules/given-sessions.ts';

/** The first save of a step's session after the step had ended. */
function saveAfter(journal: JournalView, { step, endedAt }: PlayedStep) {
  const own = sessionsOf(journal)
    .filter(({ played }) => played.step.scenario === step.scenario && played.step.user === step.user)
    .map(({ token }) => token);
  return journal
    .exchanges('auth->ehr', SAVE_AUTH_INFO)
    .find(({ at, facts }) => at >= endedAt && own.includes(facts.call?.token ?? ''));
}

const reported = part(firstLink.steps.link, 'report');

/** Says when the save of a report came, if not during the report. */
function whenReported(journal: JournalView, played: PlayedStep): string {
  const session = sessionsOf(journal)
    .filter(({ played: { step } }) => step.scenario === played.step.scenario && step.user === played.step.user)
    .at(-1);
  const save = journal.exchanges('auth->ehr', SAVE_AUTH_INFO).find(({ facts }) => facts.call?.token === session?.token);
  if (!save) return 'it was not sent';
  return save.seq < played.step.seq ? 'it came before the report' : 'it came after the client was answered';
}

export const exchangeChecks: readonly Check[] = [
  check({
    id: 'link-recorded',
    title: 'When the client reports the link, the session is saved by save_auth_info',
    requirements: ['1-session-saved-after-link'],
    scenarios: [firstLink],
    judge(journal) {
      const played = journal.step(reported);
      if (!played)
        return journal.step(firstLink.steps.after)
          ? notApplicable('the adapter declares that the server has no reportLink')
          : notRun(journal, reported);
      const [save] = sentTo(played, SAVE_AUTH_INFO);
      if (save?.facts.reply?.result) return pass(played.evidence);
      const late = save ? undefined : saveAfter(journal, played);
      if (late?.facts.reply?.result)
        return fail({
          expected: 'save_auth_info before the client is told that the link is known',
          actual: 'it was sent, and accepted, after the client had been answered',
          evidence: [...played.evidence, late.seq],
          advice:
            'Answer the report when the EHR server has acknowledged the session: a client that reads the record at once would be refused, and learns nothing of a save that fails.',
          timeSensitive: true,
        });
      return fail({
        expected: 'save_auth_info for this user and token, accepted',
        actual: save ? `it was ${replyWords(save)}` : whenReported(journal, played),
        evidence: played.evidence,
        advice: 'Send save_auth_info when you learn that the EHR server has linked the user.',
        timeSensitive: true,
      });
    },
  }),
];
