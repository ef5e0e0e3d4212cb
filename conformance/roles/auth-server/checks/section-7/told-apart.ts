/** What a client is told while the EHR server fails: not that its session is unknown (§7). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, notApplicable, notRun, pass } from '../../../../engine/check/judging.ts';
import { done, type EditableJournal, first } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { wrongCodes } from '../../flows/codes/wrong-codes.ts';
import { wrongSessions } from '../../flows/sessions/sessions.ts';
import { exchangeTokenTrouble, saveTrouble } from '../../flows/trouble/ehr-trouble.ts';

/** Failures that nobody takes for a refusal. */
const FAILURES = ['down', 'reset', 'http-500', 'not-json'] as const;

const UNAUTHORIZED = 401;

const { invented } = wrongSessions.steps;

/** Whether a client cannot tell two refusals from each other. */
function areAlike(one: PlayedStep, other: PlayedStep): boolean {
  const [a, b] = [one.result, other.result];
  if (a.kind !== 'refused' || b.kind !== 'refused') return false;
  if (a.status !== b.status || a.code !== b.code || a.reason !== b.reason) return false;
  // Without a reason that the adapter file names, the whole answers are compared.
  return a.reason !== undefined || a.code !== undefined || bodyOf(one) === bodyOf(other);
}

const bodyOf = ({ exchanges }: PlayedStep) => exchanges.find(({ link }) => link === 'client->auth')?.response?.body;

function judgeApart(journal: JournalView): Finding {
  const unknown = journal.step(invented);
  if (!unknown) return notRun(journal, invented);
  if (unknown.result.kind !== 'refused')
    return inconclusive(
      `a session that does not exist was not refused (${describe(unknown.result)})`,
      unknown.evidence,
    );
  const tried = FAILURES.flatMap((name) => [
    ...journal.steps(exchangeTokenTrouble.steps.during(name)),
    ...journal.steps(saveTrouble.steps.during(name)),
  ]).filter(({ exchanges }) => exchanges.some(({ fault }) => fault !== undefined));
  const [one] = tried;
  if (!one) return notRun(journal, exchangeTokenTrouble.steps.during('down'));
  const alike = tried.find((played) => areAlike(played, unknown));
  if (!alike) return pass([...unknown.evidence, ...one.evidence]);
  const wrong = journal.step(wrongCodes.steps.wrong);
  const isForEverything = wrong === undefined || areAlike(wrong, unknown);
  if (unknown.result.status !== UNAUTHORIZED && isForEverything)
    return notApplicable('this server tells all refusals in the same words');
  return fail({
    expected: 'another error than for a session that does not exist',
    actual: `"${alike.step.label}": ${describe(alike.result)}, as without a session`,
    evidence: [...unknown.evidence, ...alike.evidence],
    advice:
      'Answer with an error of its own, such as HTTP 502 or 503, while the EHR server fails: a client that is told that its session is unknown throws it away.',
  });
}

/** Gives a failure the result of an unknown session. */
function told({ entries, outcome }: EditableJournal): void {
  const step = first(entries.filter((entry) => entry.kind === 'step' && entry.label === invented.label));
  const ended = entries.find((entry) => entry.kind === 'outcome' && entry.step === step.seq);
  outcome(exchangeTokenTrouble.steps.during('down'), ended?.kind === 'outcome' ? ended.result : done());
}

export const toldApartChecks: readonly Check[] = [
  check({
    id: 'trouble-told-apart',
    title: 'A failure of the EHR server is not told as a session that does not exist',
    level: 'SHOULD',
    requirements: ['K-trouble-told-apart'],
    scenarios: [exchangeTokenTrouble, wrongSessions, wrongCodes],
    judge: judgeApart,
    red: told,
  }),
];
