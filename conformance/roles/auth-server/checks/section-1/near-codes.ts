/** Judges whether the refusal of a wrong code tells how much of it was right (§1 rule 8). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, notRun, pass } from '../../../../engine/check/judging.ts';
import { first } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { guessedCodes } from '../../flows/codes/codes.ts';

const { nearlyRight, hardlyRight, atOnce } = guessedCodes.steps;

/** What two refusals may tell of both codes: right digits, wrong ones, or a mark for each place. */
const told = (length: number): readonly (readonly [near: string, far: string])[] => [
  [`${length - 1}`, '1'],
  ['1', `${length - 1}`],
  [marks(length, length - 1), marks(length, 1)],
];

const marks = (length: number, right: number) => '1'.repeat(right) + '0'.repeat(length - right);

/** The numbers and the rows of yes and no in an answer, in order. */
function countsIn({ exchanges }: PlayedStep): string[] {
  const body = exchanges.find(({ link, response }) => link === 'client->auth' && response)?.response?.body ?? '';
  const rows = body
    .replace(/true/g, '1')
    .replace(/false/g, '0')
    .replace(/\[[01](?:\s*,\s*[01])*\]/g, (row) => row.replace(/\D/g, ''));
  return rows.match(/(?<![\w.-])\d{1,10}(?![\w.-])/g) ?? [];
}

function judgeNear(journal: JournalView): Finding {
  const [near, far, control] = [journal.step(nearlyRight), journal.step(hardlyRight), journal.step(atOnce)];
  const [seen] = journal.observations(nearlyRight);
  if (!near || !far || !seen) return notRun(journal, hardlyRight);
  const evidence = [...near.evidence, ...far.evidence];
  const [ofNear, ofFar] = [countsIn(near), countsIn(far)];
  const length = Number(seen.values.length);
  // Of shorter codes nearly right and hardly right are the same.
  if (!(length > 2)) return inconclusive('the codes are too short to be right in part', evidence);
  const shown = told(length).find(([high, low]) =>
    ofNear.some((count, place) => count === high && ofFar[place] === low),
  );
  if (shown)
    return fail({
      expected: 'the same answer, however much of a wrong code is right',
      actual: `the answers have ${shown[0]} and ${shown[1]} at the same place: one code was wrong in its last digit alone, the other right in its first digit alone`,
      evidence,
      advice:
        'Answer each wrong code alike: whoever learns how much of a guess is right finds the code digit by digit.',
    });
  if (control?.result.kind !== 'done') return inconclusive('the right code was not accepted either', evidence);
  const odd = [near, far].find(({ result }) => result.kind !== 'refused');
  if (odd) return inconclusive(`a guess was not refused (${describe(odd.result)})`, evidence);
  return pass(evidence);
}

export const nearCodeChecks: readonly Check[] = [
  check({
    id: 'refusal-tells-no-digits',
    title: 'The refusal of a wrong code does not tell how much of it is right',
    requirements: ['1-phone-confirmed', 'K-code-to-phone-alone'],
    scenarios: [guessedCodes],
    judge: judgeNear,
    red({ entries }) {
      for (const [label, right] of [
        [nearlyRight, 5],
        [hardlyRight, 1],
      ] as const) {
        const step = first(entries.filter((entry) => entry.kind === 'step' && entry.label === label.label));
        const answer = entries.find(
          (entry) => entry.kind === 'exchange' && entry.step === step.seq && entry.link === 'client->auth',
        );
        if (answer?.kind === 'exchange' && answer.response) answer.response.body = `{"right":${right}}`;
      }
    },
  }),
];
