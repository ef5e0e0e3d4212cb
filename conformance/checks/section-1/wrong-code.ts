/** A wrong code opens no session, and its refusal carries none (§1 rules 1 and 8). */
import type { JournalView } from '../../journal/view.ts';
import { wrongCodes } from '../../scenarios/codes.ts';
import { whoseSession } from '../../scenarios/whose-session.ts';
import type { Finding } from '../../verdict.ts';
import { type Check, check } from '../check.ts';
import { carriedSession, refusedStep } from '../judging.ts';
import { succeeds } from '../red-change.ts';
import { CONFIRM_ADVICE } from './codes.ts';

function sessionInRefusal(journal: JournalView): Finding | undefined {
  return [wrongCodes.steps, whoseSession.steps]
    .map((steps) =>
      carriedSession(journal, steps, {
        expected: 'the sign-in is refused, and the refusal carries nothing that serves as a session',
        actual: 'the sign-in was refused, but an exchange token was given for a value that the refusal carried',
        evidence: journal.step(steps.wrong)?.evidence ?? [],
        advice: CONFIRM_ADVICE,
      }),
    )
    .find((finding) => finding !== undefined);
}

export const wrongCodeChecks: readonly Check[] = [
  check({
    id: 'wrong-code-refused',
    title: 'A wrong code opens no session',
    requirements: ['1-phone-confirmed'],
    scenarios: [wrongCodes, whoseSession],
    judge: (journal) =>
      sessionInRefusal(journal) ??
      refusedStep(journal, {
        control: wrongCodes.steps.right,
        attempt: wrongCodes.steps.wrong,
        expected: 'the sign-in is refused',
        advice: CONFIRM_ADVICE,
        nothingSent: true,
      }),
    red: succeeds(wrongCodes.steps.wrong),
  }),
];
