/**
 * Reports, logouts and deletions that others make in a user's name leave the user's session alone (§1 rule 6,
 * §4.5, §4.6).
 */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  fail,
  inconclusive,
  notApplicable,
  notRun,
  pass,
  refusedStep,
  SAVE_AUTH_INFO,
} from '../../../../engine/check/judging.ts';
import { first } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { firstLink } from '../../flows/links/linking.ts';
import { type Label, part } from '../../flows/scenario.ts';
import { othersSessions, WAYS, type Way } from '../../flows/sessions/others-sessions.ts';
import { deletion, logout } from '../../flows/sessions/sessions.ts';

const { steps } = othersSessions;
const [none, altered, named, bare] = WAYS;
const reported = part(firstLink.steps.link, 'report');

function judgeReport(journal: JournalView): Finding {
  const findings = [none, altered, bare].map((way) =>
    refusedStep(journal, {
      control: reported,
      attempt: steps.report(way),
      expected: 'the report is refused',
      advice:
        'Verify the session of a report as that of every other request, before anything is sent to the EHR server.',
      nothingSent: true,
    }),
  );
  const wrong =
    findings.find(({ outcome }) => outcome === 'fail') ?? findings.find(({ outcome }) => outcome !== 'pass');
  return wrong ?? (findings[0] as Finding);
}

function judgeNamed(journal: JournalView): Finding {
  const [played, vic, control] = [journal.step(steps.report(named)), journal.step(steps.vic), journal.step(reported)];
  if (!played)
    return journal.step(steps.report(none))
      ? notApplicable('a report of this server names no user beside its session')
      : notRun(journal, steps.report(named));
  const user = vic?.result.kind === 'done' ? vic.result.values.user : undefined;
  // Vic reports nothing here. Where phones are few, a sign-in of Vic's may be that of a linked user.
  const save = journal.exchanges('auth->ehr', SAVE_AUTH_INFO).find((exchange) => {
    const step = journal.stepOf(exchange)?.step;
    return exchange.facts.call?.user === user && step?.scenario === othersSessions.id && step.step !== 'confirmOtp';
  });
  if (save)
    return fail({
      expected: 'the session that the request shows, or a refusal',
      actual: 'the session of the user who was merely named was saved',
      evidence: [...played.evidence, save.seq],
      advice: 'Take the user of a report from the verified session, and from nothing else in the request.',
    });
  if (control?.result.kind !== 'done') return inconclusive('no report succeeded in this run', played.evidence);
  if (journal.exchanges('auth->ehr', SAVE_AUTH_INFO).length === 0)
    return inconclusive('no session was saved after any report', control.evidence);
  if (played.result.kind === 'failed') return inconclusive(describe(played.result), played.evidence);
  return pass([...control.evidence, ...played.evidence]);
}

type Ending = { control: Label; before: Label; attempt: (way: Way) => Label; after: Label };

/** Requires that the user's session survives all attempts of others. */
function judgeEnding(journal: JournalView, { control, before, attempt, after }: Ending): Finding {
  const tried = WAYS.flatMap((way) => journal.step(attempt(way)) ?? []);
  const [good, lived, played] = [journal.step(control), journal.step(before), journal.step(after)];
  if (tried.length === 0 || !played) return notRun(journal, after);
  if (lived?.result.kind !== 'done')
    return inconclusive('the session gave no exchange token before the attempts either', lived?.evidence ?? []);
  const evidence = [...lived.evidence, ...tried.flatMap((each) => each.evidence), ...played.evidence];
  if (played.result.kind === 'refused') {
    const accepted = tried.filter(({ result }) => result.kind === 'done').map(({ step }) => `"${step.label}"`);
    return fail({
      expected: 'the session of the user lives on',
      actual: `it is refused after ${accepted.length > 0 ? `${accepted.join(' and ')} succeeded` : 'attempts that were all refused'}`,
      evidence,
      advice: 'End the session that was verified for this very request, and its user, whoever else the request names.',
    });
  }
  if (played.result.kind !== 'done') return inconclusive(describe(played.result), played.evidence);
  if (good?.result.kind !== 'done') return inconclusive(`the control "${control.label}" did not succeed`, evidence);
  return pass(evidence);
}

const OWN = ['K-session-of-its-own', 'K-session-ends'] as const;

export const othersSessionsChecks: readonly Check[] = [
  check({
    id: 'report-needs-session',
    title: 'A report without a session, or with one that is right in part alone, is refused',
    requirements: ['K-session-required', 'K-session-compared-whole'],
    scenarios: [othersSessions, firstLink],
    judge: judgeReport,
  }),
  check({
    id: 'report-for-own-session',
    title: 'A report in the name of another user does not save the session of that user',
    requirements: ['K-session-of-its-own', '1-pair-per-session'],
    scenarios: [othersSessions, firstLink],
    judge: judgeNamed,
    red({ entries, exchanges }) {
      const step = first(
        entries.filter(
          (entry) => entry.kind === 'step' && entry.scenario === othersSessions.id && entry.label === steps.vic.label,
        ),
      );
      const outcome = entries.find((entry) => entry.kind === 'outcome' && entry.step === step.seq);
      const save = first(exchanges('auth->ehr', SAVE_AUTH_INFO));
      const attempt = first(
        entries.filter(
          (entry) =>
            entry.kind === 'step' && entry.scenario === othersSessions.id && entry.label === steps.report(named).label,
        ),
      );
      Object.assign(save, { scenario: othersSessions.id, step: attempt.seq });
      const { facts } = save;
      if (facts.call && outcome?.kind === 'outcome' && outcome.result.kind === 'done')
        facts.call.user = outcome.result.values.user as string;
    },
  }),
  check({
    id: 'logout-of-own-session',
    title: "A user's session outlives the logouts that others try in their name",
    requirements: OWN,
    scenarios: [othersSessions, logout],
    judge: (journal) =>
      judgeEnding(journal, {
        control: logout.steps.logout,
        before: steps.before,
        attempt: steps.logout,
        after: steps.afterLogout,
      }),
  }),
  check({
    id: 'deletion-of-own-user',
    title: "A user's session outlives the deletions that others try in their name",
    requirements: OWN,
    scenarios: [othersSessions, deletion],
    judge: (journal) =>
      judgeEnding(journal, {
        control: deletion.steps.delete,
        before: [steps.beforeDeletion, steps.afterLogout].find((label) => journal.step(label)) ?? steps.before,
        attempt: steps.deletion,
        after: steps.afterDeletion,
      }),
  }),
];
