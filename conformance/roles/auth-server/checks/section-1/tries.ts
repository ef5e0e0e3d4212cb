/** What must not give back the tries of a code: requests for another one, and a restart (§1 rule 8). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { notApplicable, notRun, refusedStep } from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { guessedCodes } from '../../flows/codes/codes.ts';
import { keptOverRestart } from '../../flows/links/kept.ts';
import { afterRestart } from './kept.ts';

const { atOnce, afterwards, tooSoon, ronAfterwards } = guessedCodes.steps;

/** Without a limit there is none to be reset. */
function unlessUnlimited(journal: JournalView, judge: () => Finding): Finding {
  return journal.step(afterwards)?.result.kind === 'done'
    ? notApplicable('the tries are not limited in any case: see tries-limited')
    : judge();
}

export const triesChecks: readonly Check[] = [
  check({
    id: 'tries-survive-refused-request',
    title: 'A request for another code that sends none gives back no tries of the code before',
    requirements: ['K-code-tries-limited'],
    scenarios: [guessedCodes],
    judge(journal) {
      const seen = journal.observations(tooSoon);
      if (seen.length === 0) return notRun(journal, tooSoon);
      if (seen.some(({ values }) => Number(values.messages) > 0))
        return notApplicable('another code is sent at once, so no request is refused');
      return unlessUnlimited(journal, () =>
        refusedStep(journal, {
          control: atOnce,
          attempt: ronAfterwards,
          expected: 'the right code is refused after as many wrong ones as without these requests',
          advice:
            'Count the tries with the code that they are for, and begin again only with a new code. A request that is refused changes nothing.',
        }),
      );
    },
  }),
  check({
    id: 'tries-kept-over-restart',
    title: 'A restart of the server gives back no tries of a code',
    level: 'SHOULD',
    requirements: ['K-code-tries-limited', 'K-ended-over-restart'],
    scenarios: [keptOverRestart, guessedCodes],
    judge: (journal) =>
      afterRestart(journal, keptOverRestart.steps.piaAfter, () =>
        unlessUnlimited(journal, () =>
          refusedStep(journal, {
            control: atOnce,
            attempt: keptOverRestart.steps.piaAfter,
            expected: 'the code, tried too often before the restart, is refused',
            advice: 'Keep the count of tries where the code is kept, or forget the code with it.',
          }),
        ),
      ),
  }),
];
