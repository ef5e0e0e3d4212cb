/** Requests at the same moment: codes, tries, tokens, reports, endings (§1 rules 1, 4, 6 and 8). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, notApplicable, notRun, pass } from '../../../../engine/check/judging.ts';
import { done, type EditableJournal } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import {
  codeRounds,
  codesAtOnce,
  GUESS_ROUNDS,
  GUESSES_PER_ROUND,
  guessesAtOnce,
  oneCodeAtOnce,
} from '../../flows/requests/at-once.ts';
import type { Label } from '../../flows/scenario.ts';
import { evidenceOf, isDone, yielded } from '../step-values.ts';

/** Judges rounds of guesses: the right code must be refused in one of them. */
function judgeGuessRounds(
  journal: JournalView,
  { requests, guess, right }: { requests: Label; guess: (round: number) => Label; right: (round: number) => Label },
): Finding {
  const control = journal.step(guessesAtOnce.steps.control);
  const rounds = Array.from({ length: GUESS_ROUNDS }, (_, index) => journal.step(right(index + 1))).filter(
    (played) => played !== undefined,
  );
  const last = rounds.at(-1);
  if (!last) return journal.step(requests) ? notRun(journal, right(1)) : notRun(journal, requests);
  if (rounds.length === GUESS_ROUNDS && rounds.every(isDone))
    return fail({
      expected: 'after a few wrong codes the right one is refused, wherever it stands among them',
      actual: `the right code confirmed in each of ${GUESS_ROUNDS} rounds, at a random place among ${GUESSES_PER_ROUND} guesses`,
      evidence: evidenceOf(rounds),
      advice:
        'Count a try before the code is compared, in one statement that both counts and tells whether the limit is reached; count tries, not requests.',
    });
  if (!control) return notRun(journal, guessesAtOnce.steps.control);
  if (!isDone(control))
    return inconclusive(`the right code alone did not confirm either (${describe(control.result)})`, control.evidence);
  const wrong = journal.steps(guess(rounds.length));
  const answered = wrong.filter(({ result }) => result.kind === 'refused');
  if (last.result.kind !== 'refused' || answered.length < wrong.length / 2)
    return inconclusive(`the guesses were not answered by refusals (${describe(last.result)})`, last.evidence);
  return pass([...control.evidence, ...last.evidence]);
}

/** Confirms the right code in every round; adds the rounds that were not played. */
const confirmsInAllRounds = (right: (round: number) => Label) => (journal: EditableJournal) => {
  const { entries } = journal;
  const stepOf = ({ scenario, label }: Label) =>
    entries.find((entry) => entry.kind === 'step' && entry.scenario === scenario && entry.label === label);
  const outcomeOf = (seq: number) => entries.find((entry) => entry.kind === 'outcome' && entry.step === seq);
  const step = stepOf(right(1));
  const outcome = step && outcomeOf(step.seq);
  if (step?.kind !== 'step' || outcome?.kind !== 'outcome') throw new Error('The journal has no volley.');
  for (let round = 1; round <= GUESS_ROUNDS; round++) {
    const played = stepOf(right(round));
    const seq = step.seq + round / 100;
    if (!played) entries.push({ ...step, seq, label: right(round).label }, { ...outcome, seq: seq + 0.001, step: seq });
    Object.assign(outcomeOf(played?.seq ?? seq) ?? {}, { result: done() });
  }
};
const batchSteps = {
  requests: guessesAtOnce.steps.batchRequests(1),
  guess: guessesAtOnce.steps.batchGuess,
  right: guessesAtOnce.steps.batchRight,
};

export const atOnceChecks: readonly Check[] = [
  check({
    id: 'code-works-once-at-once',
    title: 'A code that several devices confirm at the same moment opens one session',
    requirements: ['K-code-once', '1-phone-confirmed'],
    scenarios: [oneCodeAtOnce],
    judge(journal) {
      const rounds = codeRounds.map((round) => journal.steps(oneCodeAtOnce.steps.confirm(round)));
      if (rounds.flat().length === 0) return notRun(journal, oneCodeAtOnce.steps.confirm(1));
      for (const played of rounds) {
        const opened = played.filter(isDone);
        const sessions = new Set(opened.map((each) => yielded(each, 'token')));
        if (sessions.size > 1)
          return fail({
            expected: 'one session',
            actual: `${sessions.size} sessions were opened with one code`,
            evidence: evidenceOf(opened),
            advice:
              'Use the code up in the statement that finds it right, before anything slow is done; whoever changes no row is refused.',
          });
      }
      const good = rounds.flat().filter(isDone);
      if (good.length === 0) return inconclusive('no confirmation succeeded', evidenceOf(rounds.flat()));
      return pass(evidenceOf(good));
    },
  }),
  check({
    id: 'tries-limited-at-once',
    title: 'Guesses that come at the same moment do not pass the limit of tries',
    requirements: ['K-code-tries-limited'],
    scenarios: [guessesAtOnce],
    judge: (journal) =>
      judgeGuessRounds(journal, { ...guessesAtOnce.steps, requests: guessesAtOnce.steps.requests(1) }),
    red: confirmsInAllRounds(guessesAtOnce.steps.right),
  }),
  check({
    id: 'tries-limited-in-batch',
    title: 'Guesses in one JSON-RPC batch do not pass the limit of tries',
    requirements: ['K-code-tries-limited'],
    scenarios: [guessesAtOnce],
    judge(journal) {
      const [taken] = journal.observations(guessesAtOnce.steps.batchTaken);
      if (journal.step(batchSteps.right(1)) && taken?.values.taken === false)
        return notApplicable('the server takes no JSON-RPC batches');
      return judgeGuessRounds(journal, batchSteps);
    },
    red: confirmsInAllRounds(batchSteps.right),
  }),
  check({
    id: 'newest-code-after-two-requests',
    title: 'When two codes are requested at the same moment, the one that came last confirms',
    level: 'SHOULD',
    requirements: ['K-newest-code-confirms'],
    scenarios: [codesAtOnce],
    judge(journal) {
      const { steps } = codesAtOnce;
      const played = journal.step(steps.newest);
      if (!played) {
        const asked = journal.steps(steps.twice);
        return asked.length > 0 && !asked.some(isDone)
          ? inconclusive(`neither request succeeded (${describe((asked[0] as PlayedStep).result)})`, evidenceOf(asked))
          : notRun(journal, steps.newest);
      }
      if (isDone(played)) return pass(played.evidence);
      const [seen] = journal.observations(steps.messages);
      if (seen?.values.isCertain !== true)
        return notApplicable(
          'several codes came at the same moment, and nothing in this set-up tells which of them was sent last',
        );
      return fail({
        expected: 'the code that came last confirms',
        actual: `${describe(played.result)}; ${seen.values.count} messages had come`,
        evidence: [...evidenceOf(journal.steps(steps.twice)), ...played.evidence],
        advice:
          'Check the pause and store the code in one transaction, and send only the code that was stored: the later request replaces the earlier one or is refused.',
      });
    },
  }),
  check({
    id: 'newest-code-survives-wrong-try',
    title: 'A wrong try at the moment of a resend does not bring back the old code',
    level: 'SHOULD',
    requirements: ['K-newest-code-confirms', 'K-code-superseded'],
    scenarios: [codesAtOnce],
    judge(journal) {
      const { steps } = codesAtOnce;
      const [played, old, resend] = [journal.step(steps.resent), journal.step(steps.old), journal.step(steps.resend)];
      if (!played || !resend) return notRun(journal, steps.resent);
      if (isDone(played)) return pass(played.evidence);
      if (!isDone(resend)) return inconclusive('the code was not sent again', resend.evidence);
      const revived = old !== undefined && isDone(old);
      return fail({
        expected: 'the code of the resend confirms',
        actual: `${describe(played.result)}${revived ? ', and the code before it confirmed' : ''}`,
        evidence: [...resend.evidence, ...played.evidence, ...(old?.evidence ?? [])],
        advice: 'Count a wrong try by changing the row of that very code; never write a row back that was read before.',
        timeSensitive: !revived,
      });
    },
  }),
];
