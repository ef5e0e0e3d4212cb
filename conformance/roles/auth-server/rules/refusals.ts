/** The rule that a refusal tells the client what is wrong with its request, not that the server failed. */
import type { Check } from '../../../engine/check/check.ts';
import type { Judgement } from '../../../engine/check/steps.ts';
import { MAX_EVIDENCE } from '../../../engine/check/verdict.ts';
import { describe } from '../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../engine/journal/view.ts';
import { wrongCodes } from '../flows/codes/wrong-codes.ts';
import { correspondence } from '../flows/sessions/correspondence.ts';
import { whoseSession } from '../flows/sessions/whose-session.ts';
import { wrongSessions } from '../flows/sessions/wrong-sessions.ts';
import { isDone, wasRefused } from '../flows/step-values.ts';
import { ruleOfAll } from './rule.ts';

/** The flows with steps that must be refused, and in which the EHR server works. */
const REFUSING = [wrongCodes, whoseSession, correspondence, wrongSessions] as const;

/** The steps with a mistake on purpose that did not succeed, and for which the EHR server refused nothing. */
const toBeRefused = (journal: JournalView): readonly PlayedStep[] =>
  REFUSING.flatMap((each) => journal.stepsOf(each)).filter(
    ({ step, exchanges, result }) =>
      step.defect !== undefined &&
      result.kind !== 'done' &&
      exchanges.some(({ link }) => link === 'client->auth') &&
      exchanges.every(({ link, facts }) => link !== 'auth->ehr' || facts.reply?.result),
  );

function badlyTold(all: readonly PlayedStep[]): Judgement {
  const bad = all.filter((each) => each.result.kind === 'failed' && wasRefused(each));
  const [first] = bad;
  if (!first) return undefined;
  return {
    expected: 'an error that says what is wrong with the request',
    actual: `"${first.step.label}": ${describe(first.result)} (${bad.length} of ${all.length} steps)`,
    shownBy: bad.slice(0, MAX_EVIDENCE),
    timeSensitive: true,
  };
}

export const refusalRules: readonly Check[] = [
  ruleOfAll({
    id: 'refusals-told',
    title: 'What is refused is refused by an error about the request, not by an internal error',
    requirements: ['K-refusal-told'],
    scenarios: REFUSING,
    watchable: false,
    of: toBeRefused,
    nothing: 'nothing was played that must be refused',
    judge: badlyTold,
    control: {
      seen: (journal) => REFUSING.some((each) => journal.stepsOf(each).some(isDone)),
      because: 'nothing succeeded either',
    },
    advice:
      'Refuse what is wrong with a request by an error of its own, such as HTTP 400, 401 or 403, and answer at once.',
    red: ({ outcome }) =>
      outcome(
        { scenario: wrongCodes.id, label: 'wrong code' },
        { kind: 'failed', what: 'server-error', detail: 'HTTP 500' },
      ),
  }),
];
