/** Judges whether one hanging call to the EHR server holds up other users. */

import { fail, inconclusive, notRun, pass, SAVE_EXCHANGE_TOKEN, sentTo } from '../../../engine/check/judging.ts';
import type { Finding } from '../../../engine/check/verdict.ts';
import { describe } from '../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../engine/journal/view.ts';
import { oneCallHangs } from '../flows/sessions/sessions-at-once.ts';
import { isDone } from './step-values.ts';

/** Calls that hang for less than this (ms) beside the other user's request show nothing. */
const MIN_HELD_MS = 300;

export function judgeHanging(journal: JournalView): Finding {
  const { steps } = oneCallHangs;
  const [control, hanging, meanwhile] = [steps.control, steps.hangs, steps.meanwhile].map((label) =>
    journal.step(label),
  );
  if (!control || !hanging || !meanwhile) return notRun(journal, steps.meanwhile);
  const held = hanging.exchanges.find(({ fault }) => fault === 'hang');
  if (!held) return inconclusive('no call to the EHR server was left hanging', hanging.evidence);
  const evidence = [...hanging.evidence, ...meanwhile.evidence];
  // A server may give up the call and leave its connection open. Its answer to the client shows when.
  const ends = journal.steps(steps.hangs).flatMap((played) => {
    const own = played.exchanges.find(({ fault }) => fault === 'hang');
    return own ? [Math.min(own.endedAt, played.endedAt)] : [];
  });
  if (isDone(meanwhile) && meanwhile.endedAt <= Math.min(...ends)) return pass(evidence);
  const heldForMs = Math.max(...ends) - meanwhile.step.at;
  const waited = (played: PlayedStep) => (sentTo(played, SAVE_EXCHANGE_TOKEN)[0]?.at ?? Infinity) - played.step.at;
  if (isDone(meanwhile) && waited(meanwhile) < Math.max(heldForMs / 2, 2 * waited(control))) return pass(evidence);
  if (isDone(meanwhile) && heldForMs < MIN_HELD_MS)
    return inconclusive('the hanging calls were given up before the other user had asked', evidence);
  return fail({
    expected: 'the other user is served while the call hangs',
    actual: isDone(meanwhile)
      ? `the call for the other user was sent only when the hanging one was given up, after ${meanwhile.took} ms; without it the same took ${control.took} ms`
      : describe(meanwhile.result),
    evidence,
    advice: 'Let no call to the EHR server wait for another one: no lock, queue or single connection for all users.',
    timeSensitive: true,
  });
}
