/** What makes a code worthless: its first use, and tries, whatever other people do meanwhile (§1 rule 8). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, notApplicable, notRun, pass, refusedStep } from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { guessedCodes, wrongCodes } from '../../flows/codes/codes.ts';
import { crowd } from '../../flows/links/linking.ts';
import { CONFIRM_ADVICE } from './codes.ts';

const { vicRequests, vicGuess, vicAfterwards } = crowd.steps;

function judgeGuesses(journal: JournalView): Finding {
  const [attempt, limited] = [journal.step(vicAfterwards), journal.step(guessedCodes.steps.afterwards)];
  if (!attempt) return notRun(journal, vicAfterwards);
  if (!limited) return notRun(journal, guessedCodes.steps.afterwards);
  if (journal.step(guessedCodes.steps.atOnce)?.result.kind !== 'done')
    return inconclusive('a right code that no guess came before did not confirm either', limited.evidence);
  const guesses = journal.steps(vicGuess);
  if (!othersAskedBeside(journal, guesses))
    return inconclusive('nobody else was sent a code while the guesses were made', attempt.evidence);
  if (attempt.result.kind === 'done')
    return fail({
      expected: 'the right code is refused after so many wrong ones',
      actual: `after ${guesses.length} wrong codes between the sign-ins of other people it confirmed`,
      evidence: [...guesses.flatMap(({ step }) => step.seq), ...attempt.evidence],
      advice:
        'Keep the count of tries with the code, for as long as the code lives: what other people request must not push it out.',
    });
  if (limited.result.kind === 'done') return notApplicable('the tries are not limited in any case: see tries-limited');
  if (attempt.result.kind !== 'refused') return inconclusive(describe(attempt.result), attempt.evidence);
  return pass([...limited.evidence, ...attempt.evidence]);
}

/** Whether other people were sent codes after the code of Vic, before the last of these guesses. */
function othersAskedBeside(journal: JournalView, guesses: readonly PlayedStep[]): boolean {
  const requested = journal.step(vicRequests);
  const last = guesses.at(-1);
  if (!requested || !last) return false;
  return journal
    .allSteps('requestOtp')
    .some(({ step: { seq }, result }) => seq > requested.step.seq && seq < last.step.seq && result.kind === 'done');
}

function judgeUsed(journal: JournalView): Finding {
  const { right, used } = wrongCodes.steps;
  const first = journal.step(right);
  if (first && first.result.kind !== 'done')
    return inconclusive(`the code was not used before: it did not confirm (${describe(first.result)})`, first.evidence);
  return refusedStep(journal, {
    control: right,
    attempt: used,
    expected: 'the sign-in is refused',
    advice: CONFIRM_ADVICE,
    nothingSent: true,
  });
}

export const guessChecks: readonly Check[] = [
  check({
    id: 'used-code-refused',
    title: 'A code works once',
    requirements: ['1-phone-confirmed'],
    scenarios: [wrongCodes],
    judge: judgeUsed,
  }),
  check({
    id: 'tries-kept-beside-others',
    title: 'Wrong codes are counted although other people sign in between them',
    requirements: ['K-code-tries-limited'],
    scenarios: [crowd, guessedCodes],
    judge: judgeGuesses,
  }),
];
