/** The sign-in of new and of returning users (§1 rules 1, 3 and 7). */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  fail,
  inconclusive,
  notRun,
  pass,
  replyWords,
  SAVE_AUTH_INFO,
  sentTo,
} from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { firstLink, returningUser } from '../../flows/links/linking.ts';
import type { Label } from '../../flows/scenario.ts';
import { whenSaved } from '../../rules/whose-save.ts';

/** Requires that the sign-in of a returning user sends save_auth_info and that it is accepted. */
function savedDirectly(journal: JournalView, label: Label): Finding {
  const played = journal.step(label);
  if (!played) return notRun(journal, label);
  const saves = sentTo(played, SAVE_AUTH_INFO);
  if (saves.some(({ facts }) => facts.reply?.result)) return pass(played.evidence);
  const [first] = saves;
  const { actual, evidence } = whenSaved(journal, played);
  return fail({
    expected: 'save_auth_info during the sign-in, accepted',
    actual: first ? `it was ${replyWords(first)}` : actual,
    evidence,
    advice: first
      ? 'See what is wrong with this call in the other failures, and send it again as it must be.'
      : actual.includes('before')
        ? 'Compare the code first; save the session when it was right, and before the client is answered.'
        : "A sign-in of a user who was linked earlier sends save_auth_info with that user's user_sign.",
    timeSensitive: true,
  });
}

const { steps } = returningUser;

export const signInChecks: readonly Check[] = [
  check({
    id: 'returning-user-saved-directly',
    title: 'The sign-in of a user who brings a user_sign sends save_auth_info directly',
    requirements: ['1-matched-user-saved-directly', 'DA-sign-in-with-sign'],
    scenarios: [returningUser],
    judge: (journal) => savedDirectly(journal, steps.beaReturns),
  }),
  check({
    id: 'second-returning-user-saved-directly',
    title: 'A second returning user is saved with a user_sign of their own',
    requirements: ['1-matched-user-saved-directly', '5.1-digest-of-own-sign'],
    scenarios: [returningUser],
    judge: (journal) => savedDirectly(journal, steps.cidReturns),
  }),
  check({
    id: 'sign-on-record-used',
    title: 'The sign-in of a user whose user_sign is on record sends save_auth_info without being given it',
    level: 'SHOULD',
    requirements: ['1-matched-user-saved-directly', 'DA-sign-in-sign-on-record', 'D18-auth-own-table'],
    scenarios: [returningUser],
    judge(journal) {
      const reported = journal.allSteps('reportLink').length > 0;
      if (!reported && journal.step(steps.otherDevice))
        return {
          outcome: 'not applicable',
          because: 'the server is told of no link, so by its design it keeps no user_sign: the client brings it',
        };
      return savedDirectly(journal, steps.otherDevice);
    },
  }),
  check({
    id: 'returning-user-reads-record',
    title: 'A user who returned reads the record with the session of the sign-in',
    requirements: ['3-save-opens', '1-pair-at-sign-in'],
    scenarios: [returningUser],
    judge(journal) {
      const [bea, cid] = [journal.step(steps.beaReads), journal.step(steps.cidReads)];
      if (!bea || !cid) return notRun(journal, steps.beaReads);
      const evidence = [...bea.evidence, ...cid.evidence];
      if (bea.result.kind === 'done' && cid.result.kind === 'done') return pass(evidence);
      return fail({
        expected: 'patient data',
        actual: 'the EHR server knows no such session',
        evidence,
        advice: 'Save at the EHR server the very user and token that the client is given.',
        timeSensitive: true,
      });
    },
  }),
  check({
    id: 'first-sign-in-not-saved',
    title: 'The sign-in of a user who was never linked does not claim a session at the EHR server',
    requirements: ['1-session-saved-after-link', '1-form-on-refusal', '3-no-session'],
    scenarios: [firstLink],
    judge(journal) {
      const before = journal.step(firstLink.steps.before);
      const after = journal.step(firstLink.steps.after);
      if (!before) return notRun(journal, firstLink.steps.before);
      if (before.result.kind === 'failed')
        return {
          outcome: 'inconclusive',
          because: describe(before.result),
          evidence: before.evidence,
          blame: 'harness',
        };
      if (before.result.kind === 'refused') {
        if (!after) return notRun(journal, firstLink.steps.after);
        const evidence = [...before.evidence, ...after.evidence];
        return after.result.kind === 'done'
          ? pass(evidence)
          : inconclusive('the same call was refused after the link as well', evidence);
      }
      return fail({
        expected: 'not_authorized, so that the client shows the form',
        actual: 'patient data was given',
        evidence: before.evidence,
        advice: 'Save no session for a user who was not matched to a patient.',
      });
    },
  }),
];
