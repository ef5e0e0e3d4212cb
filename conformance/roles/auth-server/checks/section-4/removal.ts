/** A correspondence entry that is removed while its user has a session (§1 rule 6, §7). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { notApplicable, notRun, pass, refusedStep, SAVE_AUTH_INFO, sentTo } from '../../../../engine/check/judging.ts';
import { part } from '../../flows/scenario.ts';
import { correspondence } from '../../flows/sessions/sessions.ts';
import { saysLinked } from '../signed-in.ts';

const { steps } = correspondence;

export const removalChecks: readonly Check[] = [
  check({
    id: 'removed-correspondence-told',
    title:
      'A user whose entry was removed from the correspondence table after the sign-in is told so, and nothing is saved',
    requirements: ['1-no-correspondence-error', '1-internal-id-looked-up'],
    scenarios: [correspondence],
    judge(journal) {
      if (!journal.step(steps.rexRemoved)) {
        const ending = journal.ending(correspondence.id);
        if (!ending || ending.absent || ending.stopped) return notRun(journal, steps.rexRemoved);
        return notApplicable('the adapter has no step removeCorrespondence, or too few phones to lose one by it');
      }
      const returned = journal.step(steps.rexReturns);
      const isUnlinked =
        returned?.result.kind === 'done' && sentTo(returned, SAVE_AUTH_INFO).length === 0 && !saysLinked(returned);
      if (isUnlinked) return pass(returned.evidence);
      return refusedStep(journal, {
        control: returned ? steps.olaReturns : part(steps.olaLinks, 'report'),
        attempt: returned ? steps.rexReturns : steps.rexReports,
        expected: 'an error that says so',
        advice: 'Look the internal user id up again for every save_auth_info; keep none in memory or in the session.',
        nothingSent: true,
      });
    },
  }),
  check({
    id: 'correspondence-checked-at-sign-in',
    title:
      'The sign-in with a signature of a user without an entry in the correspondence table is an error or ends unlinked, and saves nothing',
    requirements: ['1-no-correspondence-error', '1-internal-id-looked-up'],
    scenarios: [correspondence],
    judge(journal) {
      const returned = journal.step(steps.returnsUnrecorded);
      if (!returned && journal.step(steps.returns))
        return notApplicable('no link is reported to this server: see missing-correspondence-told');
      const isUnlinked =
        returned?.result.kind === 'done' && sentTo(returned, SAVE_AUTH_INFO).length === 0 && !saysLinked(returned);
      if (isUnlinked) return pass(returned.evidence);
      return refusedStep(journal, {
        control: steps.olaReturns,
        attempt: steps.returnsUnrecorded,
        expected: 'an error that says so, or a sign-in that saves nothing',
        advice: 'Look the internal user id up before every save_auth_info: at the sign-in as at the report.',
        nothingSent: true,
      });
    },
  }),
];
