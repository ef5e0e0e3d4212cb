/** What must not give back the tries of a code: requests for another one, and a restart (§1 rule 8). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { notApplicable, refusedStep } from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { guessedCodes } from '../../flows/codes/guessed-codes.ts';
import { keptOverRestart } from '../../flows/links/kept.ts';
import { afterRestart } from './kept.ts';

const of = (label: string) => ({ scenario: guessedCodes.id, label });
const [atOnce, afterwards] = [of('right code at once'), of('right code after many guesses')];

/** Without a limit there is none to be reset. */
function unlessUnlimited(journal: JournalView, judge: () => Finding): Finding {
  return journal.step(afterwards)?.result.kind === 'done'
    ? notApplicable('the tries are not limited in any case: see tries-limited')
    : judge();
}

export const triesChecks: readonly Check[] = [
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
