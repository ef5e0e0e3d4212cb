/** Values that must not confirm: none, another JSON type, and codes that attackers try first (§1 rule 8). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, notRun, pass } from '../../../../engine/check/judging.ts';
import { succeeds } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import {
  aroundNames,
  builtInNames,
  emptyNames,
  noTextNames,
  oddCodes,
  partlyRightNames,
  rightAfter,
  rightBefore,
} from '../../flows/codes/odd-codes.ts';
import type { Label } from '../../flows/scenario.ts';

type Tries = {
  names: readonly string[];
  advice: string;
  /** The step of a name, and the step with the right code that shows that the phone can be confirmed. */
  attempt?: (name: string) => Label;
  control?: (name: string) => Label;
};

type OddCheck = Pick<Check, 'id' | 'title'> & Tries;

function oddCheck({
  names,
  advice,
  attempt = oddCodes.steps.instead,
  control = rightAfter,
  ...about
}: OddCheck): Check {
  return check({
    ...about,
    requirements: ['1-phone-confirmed'],
    scenarios: [oddCodes],
    judge: (journal) => noneConfirms(journal, { names, advice, attempt, control }),
    red: succeeds(attempt(names[0] as string)),
  });
}

/**
 * Requires that none of these opens a session and that the right code afterwards does. A server that crashes
 * on one has opened no session, so the crash is not judged here.
 */
function noneConfirms(journal: JournalView, { names, advice, attempt, control: controlOf }: Required<Tries>): Finding {
  const tried = names.flatMap((name) => journal.steps(attempt(name)).map((step) => ({ name, step })));
  const [one] = tried;
  if (!one) return notRun(journal, attempt(names[0] as string));
  const confirmed = tried.filter(({ step }) => step.result.kind === 'done');
  if (confirmed.length > 0)
    return fail({
      expected: 'the sign-in is refused',
      actual: `a session was opened with ${[...new Set(confirmed.map(({ name }) => name))].join(', ')} in place of the code`,
      evidence: confirmed.flatMap(({ step }) => step.evidence),
      advice,
    });
  const evidence = tried.flatMap(({ step }) => step.evidence);
  for (const { name, step } of tried) {
    const control = journal.step(controlOf(name));
    if (!control) return notRun(journal, controlOf(name));
    if (control.result.kind !== 'done')
      return inconclusive(
        `"${controlOf(name).label}", which ought to succeed, did not (${describe(control.result)}), so a refusal proves nothing`,
        [...step.evidence, ...control.evidence],
      );
    if (step.result.kind === 'failed' && step.result.what !== 'server-error')
      return inconclusive(`no refusal of ${name} but a failure (${describe(step.result)})`, step.evidence);
  }
  return pass(evidence);
}

export const oddCodeChecks: readonly Check[] = [
  oddCheck({
    id: 'empty-code-refused',
    title: 'An empty, missing or null code opens no session',
    names: emptyNames,
    advice: 'Refuse a sign-in without a code before anything is compared; what is missing equals nothing.',
  }),
  oddCheck({
    id: 'code-must-be-text',
    title: 'A code of another JSON type opens no session',
    names: noTextNames,
    advice:
      'Refuse a code that is not a text before it is compared or put into a query: a list, an object or true must not reach either.',
  }),
  oddCheck({
    id: 'no-built-in-code',
    title: 'Neither zeros, digits in order nor the date of today open a session',
    names: builtInNames,
    advice: 'Remove the code that is built in for tests. What is judged must know no code but the one it sent.',
  }),
  oddCheck({
    id: 'whole-code-compared',
    title: 'A code that differs in its first or last digit, or in the order of its digits, opens no session',
    names: partlyRightNames,
    advice:
      'Compare the whole code as it was sent: each digit, or order, that does not count makes it easier to guess.',
  }),
  oddCheck({
    id: 'code-alone-accepted',
    title: 'A text that has the right code somewhere in it opens no session',
    names: aroundNames,
    advice:
      'Compare what was sent with the code from end to end; do not look for the code in it. One text can hold thousands of guesses.',
  }),
  oddCheck({
    id: 'empty-code-after-use-refused',
    title: 'An empty, missing or null code opens no session once the code was used',
    names: emptyNames,
    attempt: oddCodes.steps.afterUse,
    control: rightBefore,
    advice: 'Delete a code when it is used; do not leave an empty one in its place, which an empty text equals.',
  }),
];
