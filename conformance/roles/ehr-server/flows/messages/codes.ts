/**
 * Creates a check for each reason of a refusal: in all scenarios an EHR server must send the code of the
 * reason.
 */
import type { RequirementId } from '#protocol/requirements.ts';
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import type { Check } from '../../../../engine/check/check.ts';
import { first } from '../../../../engine/check/red-change.ts';
import type { Label } from '../../../../engine/journal/entry.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { checkOfAll, codeOf, type EhrCheck } from '../../check.ts';

/** Creates the checks, one for each reason in the table below. */
export const codeChecks = (checks: readonly EhrCheck[]): Check[] =>
  (Object.keys(CODE_ROWS) as (keyof typeof CODE_ROWS)[]).map((reason) => codeCheck(reason, checks));

/** The key is a reason for which an EHR server refuses; the value is the requirement about its code. */
const CODE_ROWS = {
  not_authorized: 'DE-numbers',
  session_expired: 'DE-numbers',
  exchange_token_unknown: 'DE-numbers',
  exchange_token_expired: 'DE-numbers',
  exchange_token_exhausted: 'DE-numbers',
  too_many_failed_matches: 'DE-too-many-failed-matches',
  access_forbidden: 'DE-further-numbers',
  patient_already_matched: 'DE-further-numbers',
  patient_not_matched: 'DE-further-numbers',
  token_already_stored: 'DE-further-numbers',
  exchange_token_already_stored: 'DE-further-numbers',
  user_unknown: 'DE-further-numbers',
  patient_already_linked: 'DE-further-numbers',
  invalid_params: 'DE-json-rpc-numbers',
} as const satisfies Partial<Record<Reason, RequirementId>>;

/**
 * Creates the check of one reason. It judges all steps that other checks expect to be refused for this
 * reason.
 */
function codeCheck(reason: keyof typeof CODE_ROWS, checks: readonly EhrCheck[]): Check {
  const code = codeOf(reason);
  const steps = checks.flatMap(({ scenario, expect }) =>
    Object.entries(expect)
      .filter(([, { reason: expected }]) => expected === reason)
      .map(([label]) => ({ scenario: scenario.id, label })),
  );
  return checkOfAll({
    id: `code-of-${reason.replaceAll('_', '-')}`,
    title: `A refusal for ${reason} has code ${code}`,
    requirements: [CODE_ROWS[reason]],
    scenarios: [...new Set(steps.map(({ scenario }) => scenario))],
    judge(journal) {
      // Where the calls took too long, another refusal may be the right one.
      const isInTime = ({ scenario }: Label) => journal.ending(scenario)?.stopped?.blame !== 'environment';
      const played = steps.filter(isInTime).flatMap((label) => journal.steps(label));
      const refused = played.filter(({ result }) => result.kind === 'refused');
      if (refused.length === 0) return { notApplicable: `nothing was refused for ${reason}` };
      const shownBy = refused.filter((each) => toldCode(each) !== code);
      if (shownBy.length === 0) return { right: refused };
      const codes = [...new Set(shownBy.map(toldCode))].join(', ');
      const actual = `code ${codes} (${shownBy.length} of ${refused.length} refusals)`;
      return { expected: `code ${code} (${errorTable[reason].when})`, actual, shownBy };
    },
    advice: `Answer with code ${code} where ${errorTable[reason].when}.`,
    red({ entries, outcome }) {
      const played = entries.filter((entry) => entry.kind === 'step');
      const isPlayed = ({ scenario, label }: Label) =>
        played.some((step) => step.scenario === scenario && step.label === label);
      outcome(first(steps.filter(isPlayed)), { kind: 'refused', status: 200, code: '-32000' });
    },
  });
}

/** The code of a refusal; the HTTP status where it has no code; '' where the step was not refused. */
const toldCode = ({ result }: PlayedStep) =>
  result.kind === 'refused' ? (result.code ?? `HTTP ${result.status}`) : '';
