/**
 * The check that a client can tell a failure of the EHR server from an unknown session: by the error that the
 * authorization server answers (§7).
 */

import { done, type EditableJournal, first } from '../../../../engine/check/red-change.ts';
import type { Judgement } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { wrongCodes } from '../codes/wrong-codes.ts';
import { check } from '../flow.ts';
import { wrongSessions } from '../sessions/wrong-sessions.ts';
import { unclear, wasTold } from '../step-values.ts';
import { saveTrouble } from './save-trouble.ts';

/** The labels of steps whose fault is plainly a failure of the EHR server, and no refusal. */
const FAILURES = (['down', 'reset', 'http-500', 'not-json'] as const).map(
  (name) => `while: ${name}` as const,
);

/** The HTTP status by which clients recognise an unknown session. */
const UNAUTHORIZED = 401;

/** The label of the request with an unknown session, in the scenario `wrong-sessions`. */
const INVENTED = 'with an invented token';

/** Whether two refusals look the same to a client. */
function areAlike(one: PlayedStep, other: PlayedStep): boolean {
  const [a, b] = [one.result, other.result];
  if (a.kind !== 'refused' || b.kind !== 'refused') return false;
  if (a.status !== b.status || a.code !== b.code || a.reason !== b.reason) return false;
  // Where the adapter file does not say where a reason stands in the answer, the whole answers are compared.
  return a.reason !== undefined || a.code !== undefined || bodyOf(one) === bodyOf(other);
}

const bodyOf = ({ exchanges }: PlayedStep) =>
  exchanges.find(({ link }) => link === 'client->auth')?.response?.body;

/**
 * Judges whether a failure was answered like an unknown session. It does not apply to a server that refuses
 * everything in the same words, unless the status is 401.
 * @param unknown the request with an unknown session
 * @param otherRefusal finds the sign-in with a wrong code; undefined where the server has no codes
 */
function toldApart(
  tried: readonly PlayedStep[],
  unknown: PlayedStep,
  otherRefusal: () => PlayedStep | undefined,
): Judgement {
  const alike = tried.find((played) => areAlike(played, unknown));
  if (!alike || unknown.result.kind !== 'refused') return undefined;
  if (unknown.result.status !== UNAUTHORIZED) {
    const wrong = otherRefusal();
    if (wrong === undefined || areAlike(wrong, unknown))
      return { notApplicable: 'this server tells all refusals in the same words' };
  }
  return {
    expected: 'another error than for a session that does not exist',
    actual: `"${alike.step.label}": ${describe(alike.result)}, as without a session`,
    shownBy: [unknown, alike],
  };
}

/**
 * Changes the journal of a right server to one that the check must fail: a failure ends like an unknown
 * session.
 */
function toldAlike({ entries, outcome }: EditableJournal): void {
  const step = first(entries.filter((entry) => entry.kind === 'step' && entry.label === INVENTED));
  const ended = entries.find((entry) => entry.kind === 'outcome' && entry.step === step.seq);
  const label = { scenario: 'exchange-token-trouble', label: 'while: down' };
  outcome(label, ended?.kind === 'outcome' ? ended.result : done());
}

export const troubleToldApart = check({
  id: 'trouble-told-apart',
  title: 'A failure of the EHR server is not told as a session that does not exist',
  requirements: ['K-trouble-told-apart'],
  also: [wrongSessions, wrongCodes],
  judge(steps, journal) {
    const unknown = steps.in(wrongSessions).of(INVENTED);
    if (unknown.result.kind === 'failed' && wasTold(unknown))
      return {
        notApplicable: 'an unknown session is answered with an internal error as well: see refusals-told',
      };
    if (unknown.result.kind !== 'refused')
      return unclear(`a session that does not exist was not refused (${describe(unknown.result)})`, unknown);
    const reports = steps.in(saveTrouble);
    const tried = FAILURES.flatMap((label) => [...steps.all(label), ...reports.all(label)]).filter(
      ({ exchanges }) => exchanges.some(({ fault }) => fault !== undefined),
    );
    if (tried.length === 0 && steps.of('while: down'))
      return { notApplicable: 'no failure of the EHR server was met' };
    const hasCodes = journal.ending(wrongCodes.id)?.absent === undefined;
    return toldApart(tried, unknown, () => (hasCodes ? steps.in(wrongCodes).of('wrong code') : undefined));
  },
  advice:
    'Answer with an error of its own, such as HTTP 502 or 503, while the EHR server fails: a client that is told that its session is unknown throws it away.',
  red: toldAlike,
});
