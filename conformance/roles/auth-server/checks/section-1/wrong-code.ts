/** A wrong code opens no session, and its refusal carries none (§1 rules 1 and 8). */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  carriedSession,
  fail,
  inconclusive,
  notApplicable,
  notRun,
  pass,
  refusedStep,
} from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { wrongCodes } from '../../flows/codes/codes.ts';
import { whoseSession } from '../../flows/sessions/whose-session.ts';
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

/** Compares what a refusal names itself; the rest may differ from one to the next. */
function judgeAlike(journal: JournalView): Finding {
  const [known, unknown] = [journal.step(whoseSession.steps.wrong), journal.step(wrongCodes.steps.wrong)];
  if (!known) return notRun(journal, whoseSession.steps.wrong);
  if (!unknown) return notRun(journal, wrongCodes.steps.wrong);
  const evidence = [...known.evidence, ...unknown.evidence];
  const refusals = [known.result, unknown.result].filter((result) => result.kind === 'refused');
  if (refusals.length < 2) return inconclusive('a wrong code was not refused', evidence);
  const controls = [whoseSession.steps.right, wrongCodes.steps.right].map((label) => journal.step(label)?.result.kind);
  if (controls.some((kind) => kind !== 'done'))
    return inconclusive('the right code was refused, so a refusal proves nothing', evidence);
  // A limit may rightly count what other scenarios did with the same phone.
  if (refusals.some(({ status }) => status === 429)) return notApplicable('a limit refused a wrong code');
  // Tries that are left may be told.
  const [ours = '', theirs = ''] = refusals.map(({ status, code = '', reason = '' }) =>
    [status, code, reason.replace(/\d+/g, '0')].join(' '),
  );
  if (ours === theirs) return pass(evidence);
  return fail({
    expected: 'the same refusal',
    actual: `known: ${describe(known.result)}; not known: ${describe(unknown.result)}`,
    evidence,
    advice: 'Refuse a wrong code in the same way whether anybody has signed in with the phone or not.',
  });
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
  }),
  check({
    id: 'wrong-code-refused-alike',
    title: 'A wrong code is refused alike for a phone that has signed in before and for one that has not',
    level: 'ADVICE',
    requirements: ['K-known-unknown-alike'],
    scenarios: [wrongCodes, whoseSession],
    judge: judgeAlike,
  }),
];
