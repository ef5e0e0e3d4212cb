/** A check of the codes by which a client of the field begins to link. */
import { isObject } from '#protocol/wire/envelope.ts';
import type { Reason } from '#protocol/wire/errors.ts';
import type { Check } from '../../../../engine/check/check.ts';
import type { Label } from '../../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { checkOfAll, type EhrCheck } from '../../check.ts';
import { jsonIn, membersOf } from '../../world/answer.ts';

/** Codes of get_patient by which a client of the field begins to link. */
const LINK_CODES = ['-33000', '-33001', '-33002'];
const NO_SESSION: readonly (Reason | undefined)[] = ['not_authorized', 'session_expired'];

/** Creates the check of the codes of reads without a live session, at the endpoint of clients. */
export function readCodeCheck(checks: readonly EhrCheck[]): Check {
  const steps = stepsFor(checks, NO_SESSION);
  return checkOfAll({
    id: 'code-of-read-without-session',
    title: 'A read with a cred that is no live session is refused by a code that lets the client link',
    requirements: ['DE-numbers'],
    scenarios: [...new Set(steps.map(({ scenario }) => scenario))],
    judge(journal) {
      const isRead = ({ step, exchanges }: PlayedStep) =>
        step.step === 'getPatient' && hasCred(exchanges[0]?.request.body);
      const refused = refusedIn(journal, steps).filter(isRead);
      if (refused.length === 0) return { notApplicable: 'no read was refused for want of a session' };
      const shownBy = refused.filter((each) => !LINK_CODES.includes(toldCode(each)));
      if (shownBy.length === 0) return { right: refused };
      return { expected: `one of ${LINK_CODES.join(', ')}`, actual: wordsOf(shownBy, refused), shownBy };
    },
    advice: 'Answer get_patient without a live session by -33000: clients show their form by that code.',
  });
}

/** Whether the cred of a call is an object: how another one is refused is left to the server. */
const hasCred = (body: string | undefined) => isObject(membersOf(jsonIn(body)).cred);

/** The steps that checks expect to be refused for one of these reasons. */
const stepsFor = (checks: readonly EhrCheck[], reasons: readonly (Reason | undefined)[]): Label[] =>
  checks.flatMap(({ scenario, expect }) =>
    Object.entries(expect)
      .filter(([, { reason }]) => reason !== undefined && reasons.includes(reason))
      .map(([label]) => ({ scenario: scenario.id, label })),
  );

/** Those of these steps that were refused. Where calls took too long, another refusal may be right. */
function refusedIn(journal: JournalView, steps: readonly Label[]): PlayedStep[] {
  const isInTime = ({ scenario }: Label) => journal.ending(scenario)?.stopped?.blame !== 'environment';
  const played = steps.filter(isInTime).flatMap((label) => journal.steps(label));
  return played.filter(({ result }) => result.kind === 'refused');
}

const wordsOf = (shownBy: readonly PlayedStep[], refused: readonly PlayedStep[]) =>
  `code ${[...new Set(shownBy.map(toldCode))].join(', ')} (${shownBy.length} of ${refused.length} refusals)`;

/** The code of a refusal; the HTTP status where it has no code; '' where the step was not refused. */
const toldCode = ({ result }: PlayedStep) =>
  result.kind === 'refused' ? (result.code ?? `HTTP ${result.status}`) : '';
