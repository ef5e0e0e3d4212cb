/**
 * How a server treats a removed link: the user disconnected at the EHR server from another device (§1 rule 7,
 * decision 34).
 */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  fail,
  inconclusive,
  MAX_EVIDENCE,
  notRun,
  pass,
  replyWords,
  SAVE_AUTH_INFO,
  sentTo,
  wasTold,
} from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { type Label, part } from '../../flows/scenario.ts';
import { disconnectedElsewhere } from '../../flows/trouble/disconnected-elsewhere.ts';
import { KEEPS_NONE, keepsNone, savedAtSignIn, signedInAllTheSame } from '../signed-in.ts';

const { steps: gone } = disconnectedElsewhere;

export const disconnectedChecks: readonly Check[] = [
  check({
    id: 'disconnected-user-told',
    title:
      'The sign-in of a user who disconnected elsewhere ends unlinked, or with an error, and is never called linked',
    requirements: ['D34-stale-link-signs-in', 'K-failure-told'],
    scenarios: [disconnectedElsewhere],
    judge(journal) {
      const rows = [
        { signIn: gone.evaReturns, reads: gone.evaReads, linksAnew: gone.evaLinksAnew },
        { signIn: gone.finnReturns, reads: gone.finnReads, linksAnew: gone.finnLinksAnew },
      ];
      const findings = rows.map(({ signIn, ...tried }) => {
        const played = journal.step(signIn);
        if (!played) return notRun(journal, signIn);
        if (wasTold(played) && !isGone(journal)) return inconclusive('the users were never disconnected');
        if (wasTold(played)) return pass(played.evidence);
        // Another check judges whether they can link again.
        if (played.result.kind === 'done') return onlyClaims(signedInAllTheSame(journal, played, tried), played);
        return fail({
          expected: 'an answer to the client in bounded time',
          actual: describe(played.result),
          evidence: played.evidence,
          advice: 'Take not_authorized and user_unknown at a sign-in for a link that is gone, and go on without it.',
          timeSensitive: true,
        });
      });
      return worstOf(findings);
    },
  }),
  check({
    id: 'disconnected-user-not-locked-out',
    title: 'A user who disconnected elsewhere can sign in again',
    requirements: ['D34-stale-link-signs-in', 'K-failure-survived'],
    scenarios: [disconnectedElsewhere],
    judge: (journal) =>
      worstOf([
        firstSignedIn(journal, [gone.evaReturns, gone.evaReturnsAgain]),
        firstSignedIn(journal, [gone.finnReturns, gone.finnReturnsAgain]),
        firstSignedIn(journal, [gone.gitaReturns, gone.gitaReturnsAgain]),
      ]),
  }),
  check({
    id: 'disconnected-user-signed-in',
    title: 'The first sign-in of a user who disconnected elsewhere succeeds without an error',
    level: 'SHOULD',
    requirements: ['D34-stale-link-signs-in'],
    scenarios: [disconnectedElsewhere],
    judge: (journal) =>
      worstOf([gone.evaReturns, gone.finnReturns, gone.gitaReturns].map((label) => firstSignedIn(journal, [label]))),
  }),
  check({
    id: 'disconnected-user-links-anew',
    title: 'A user who disconnected elsewhere can link again',
    requirements: ['D34-stale-link-signs-in', '1-exchange-token-to-client'],
    scenarios: [disconnectedElsewhere],
    judge: (journal) => worstOf([gone.evaLinksAnew, gone.finnLinksAnew].map((label) => linkedAnew(journal, label))),
  }),
  check({
    id: 'stale-signature-forgotten',
    title: 'A signature on record that the EHR server refused is not sent again',
    level: 'SHOULD',
    requirements: ['D34-stale-sign-forgotten'],
    scenarios: [disconnectedElsewhere],
    judge(journal) {
      const again = journal.step(gone.finnReturnsAgain);
      if (!again) return notRun(journal, gone.finnReturnsAgain);
      const saves = sentTo(again, SAVE_AUTH_INFO);
      if (saves.length > 0)
        return fail({
          expected: 'a sign-in without save_auth_info',
          actual: `save_auth_info was sent again with the signature of the link that is gone (${replyWords(saves[0] as (typeof saves)[0])})`,
          evidence: again.evidence,
          advice:
            'Forget a signature on record as soon as the EHR server answers not_authorized or user_unknown to it.',
        });
      const first = journal.step(gone.finnReturns);
      if (!first) return notRun(journal, gone.finnReturns);
      const wasOnRecord = sentTo(first, SAVE_AUTH_INFO).length > 0;
      if (!wasOnRecord && keepsNone(journal)) return KEEPS_NONE;
      if (!wasOnRecord) return inconclusive('the signature of the link was not used before either', first.evidence);
      return again.result.kind === 'done'
        ? pass([...first.evidence, ...again.evidence])
        : inconclusive(`the sign-in did not succeed (${describe(again.result)})`, again.evidence);
    },
  }),
  check({
    id: 'new-signature-used',
    title: 'After a new link the sign-in is saved with the new signature',
    requirements: ['1-matched-user-saved-directly', 'D34-stale-sign-forgotten'],
    scenarios: [disconnectedElsewhere],
    judge(journal) {
      const [eva, finn] = [journal.step(gone.evaReturnsLinked), journal.step(gone.finnReturnsLinked)];
      if (!eva || !finn) return notRun(journal, gone.finnReturnsLinked);
      for (const label of [gone.evaLinksAnew, gone.finnLinksAnew]) {
        const linked = linkedAnew(journal, label);
        if (linked.outcome !== 'pass') return inconclusive('the users could not link again');
      }
      const own = savedAtSignIn(eva);
      const isNone = keepsNone(journal) && sentTo(finn, SAVE_AUTH_INFO).length === 0;
      return worstOf([own, ...(isNone ? [] : [savedAtSignIn(finn)])]);
    },
  }),
];

/** Whether the users had a link and the EHR server removed it. */
function isGone(journal: JournalView): boolean {
  return [gone.evaDisconnects, gone.finnDisconnects].every((label) => journal.step(label)?.result.kind === 'done');
}

/** Keeps a finding only if it is about a claimed link; other checks judge the rest of the session. */
function onlyClaims(finding: Finding, played: PlayedStep): Finding {
  return finding.outcome === 'fail' && finding.timeSensitive ? pass(played.evidence) : finding;
}

/** The first of these sign-ins that succeeded. */
function firstSignedIn(journal: JournalView, labels: readonly Label[]): Finding {
  const played = labels.flatMap((label) => journal.step(label) ?? []);
  const last = played.at(-1);
  if (!last) return notRun(journal, labels[0] as Label);
  const good = played.find(({ result }) => result.kind === 'done');
  if (good) return pass(good.evidence);
  return fail({
    expected: 'the sign-in succeeds, unlinked',
    actual: `"${last.step.label}": ${describe(last.result)}`,
    evidence: played.flatMap(({ evidence }) => evidence),
    advice:
      'When the EHR server answers save_auth_info of a sign-in with not_authorized or user_unknown, forget the signature and open a session that is not linked.',
    timeSensitive: true,
  });
}

function linkedAnew(journal: JournalView, label: Label): Finding {
  const parts = (['exchange token', 'authenticate', 'report'] as const).map((name) => part(label, name));
  const played = parts.flatMap((one) => journal.step(one) ?? []);
  if (played.length === 0) return notRun(journal, parts[0] as Label);
  const evidence = played.flatMap((each) => each.evidence);
  const bad = played.find(({ result }) => result.kind !== 'done');
  if (!bad) return pass(evidence);
  return fail({
    expected: 'the whole link succeeds again',
    actual: `"${bad.step.label}": ${describe(bad.result)}`,
    evidence: bad.evidence,
    advice: 'Treat a user whose link is gone like one who was never linked.',
    timeSensitive: true,
  });
}

/** The first failure, else the first finding that is no pass, else a pass with all of the evidence. */
function worstOf(findings: readonly Finding[]): Finding {
  return (
    findings.find(({ outcome }) => outcome === 'fail') ??
    findings.find(({ outcome }) => outcome !== 'pass') ??
    pass(findings.flatMap((finding) => ('evidence' in finding ? (finding.evidence ?? []) : [])).slice(0, MAX_EVIDENCE))
  );
}
