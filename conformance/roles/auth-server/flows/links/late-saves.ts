/** The check that a session is saved at the EHR server before the client is answered. */
import type { Judgement } from '../../../../engine/check/steps.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { answeredAt, CLOCK_MARGIN_MS } from '../ending.ts';
import { check } from '../flow.ts';
import { isDone, timedFault } from '../step-values.ts';

/** The scenarios in which sessions are saved and nothing is wrong on purpose. */
const SAVING = ['first-link', 'returning-user'] as const;

/** By how much (ms) a save of a server that saves late ends later. */
export const LATE_MS = 60_000;

/** How long (ms) after the answer to the client the EHR server acknowledged the session; 0: before it. */
function lateBy(played: PlayedStep): number | undefined {
  const save = sentTo(played, SAVE_AUTH_INFO).find(({ facts }) => facts.reply?.result);
  return save && Math.max(0, save.endedAt - answeredAt(played) - CLOCK_MARGIN_MS);
}

function savedLate(journal: JournalView): Judgement {
  const played = SAVING.flatMap((id) => journal.stepsOf({ id })).filter(
    (each) => isDone(each) && lateBy(each) !== undefined,
  );
  if (played.length === 0) return { unclear: 'no session was saved at a sign-in or a report' };
  const late = played.filter((each) => lateBy(each) !== 0);
  const [first] = late;
  if (!first) return { right: played.slice(0, MAX_EVIDENCE) };
  return timedFault(
    'the client is answered when the EHR server has acknowledged the session',
    `at "${first.step.label}" the session was saved after the answer (${late.length} of ${played.length} steps)`,
    ...late.slice(0, MAX_EVIDENCE),
  );
}

export const savedBeforeAnswer = check({
  id: 'saved-before-answer',
  title: 'The EHR server has acknowledged the session before the client is answered',
  requirements: ['K-session-ehr-first'],
  also: [{ id: 'returning-user' }],
  judge: (_steps, journal) => savedLate(journal),
  advice:
    'Answer a sign-in or a report when the EHR server has acknowledged the session: a client that reads the record at once would be refused, and learns nothing of a save that fails.',
});
