/** Requests without a session, or with an invented, altered or mixed one (§1 rules 1 and 4). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { notApplicable, refusedStep, SAVE_EXCHANGE_TOKEN, sentTo } from '../../../../engine/check/judging.ts';
import { succeeds } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import type { Label } from '../../flows/scenario.ts';
import { wrongSessions } from '../../flows/sessions/wrong-sessions.ts';

type SessionCheck = Pick<Check, 'id' | 'title'> & Partial<Pick<Check, 'level' | 'requirements'>>;

/** Requires that no attempt opens the session; attempts after the first may be missing. */
function sessionCheck(about: SessionCheck, attempt: Label, ...others: readonly Label[]): Check {
  return check({
    requirements: ['K-session-required', '1-sign-in-comes-first'],
    ...about,
    scenarios: [wrongSessions],
    judge(journal) {
      const findings = [attempt, ...others.filter((label) => journal.step(label))].map((label) =>
        refusedStep(journal, {
          control: wrongSessions.steps.rightAgain,
          attempt: label,
          expected: 'the request is refused',
          advice:
            'Verify the whole of the session, and the user where one is named, against a live session before anything is sent to the EHR server.',
          nothingSent: true,
        }),
      );
      const wrong =
        findings.find(({ outcome }) => outcome === 'fail') ?? findings.find((each) => each.outcome !== 'pass');
      return wrong ?? (findings[0] as Finding);
    },
    red: succeeds(others.at(-1) ?? attempt),
  });
}

/** Where a kept value shows the session, the server need not read the user named beside it. */
function judgeMixed(journal: JournalView): Finding {
  const { mixed, lea } = wrongSessions.steps;
  const played = journal.step(mixed);
  const isKept = journal.observations(mixed).at(-1)?.values.shownByKeptValue === true;
  const save = played && sentTo(played, SAVE_EXCHANGE_TOKEN).at(-1);
  const owner = journal.step(lea)?.result;
  if (isKept && played?.result.kind === 'done' && owner?.kind === 'done') {
    const info = save?.facts.call;
    if (info?.user === owner.values.user && info?.token === owner.values.token)
      return notApplicable(
        'a kept value shows the session, and the server goes by it alone: the exchange token is of that session, whoever is named beside it',
      );
  }
  return refusedStep(journal, {
    control: wrongSessions.steps.rightAgain,
    attempt: mixed,
    expected: 'the request is refused',
    advice: 'Verify user and token together against a live session before anything is sent to the EHR server.',
    nothingSent: true,
  });
}

export const wrongSessionChecks: readonly Check[] = [
  sessionCheck(
    { id: 'exchange-token-needs-session', title: 'No exchange token is given without a session' },
    wrongSessions.steps.none,
    wrongSessions.steps.noToken,
  ),
  sessionCheck(
    { id: 'invented-session-refused', title: 'No exchange token is given for an invented token' },
    wrongSessions.steps.invented,
    wrongSessions.steps.inventedAlone,
  ),
  check({
    id: 'mixed-session-refused',
    title: 'No exchange token is given for the user of one session with the token of another',
    requirements: ['K-session-required', '1-sign-in-comes-first'],
    scenarios: [wrongSessions],
    judge: judgeMixed,
  }),
  sessionCheck(
    {
      id: 'part-of-session-refused',
      title: 'No exchange token is given for a token that is right in part alone',
      requirements: ['K-session-compared-whole', 'K-session-required'],
    },
    wrongSessions.steps.changed,
    wrongSessions.steps.lastChanged,
    wrongSessions.steps.cut,
  ),
  sessionCheck(
    {
      id: 'session-case-compared',
      title: 'No exchange token is given for a token whose upper and lower case were exchanged',
      level: 'SHOULD',
      requirements: ['K-session-compared-whole'],
    },
    wrongSessions.steps.otherCase,
  ),
  sessionCheck(
    {
      id: 'session-not-sought-in-text',
      title: 'No exchange token is given for a text that has the token in it',
      level: 'SHOULD',
      requirements: ['K-session-compared-whole'],
    },
    wrongSessions.steps.insideText,
  ),
];
