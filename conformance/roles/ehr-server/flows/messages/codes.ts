/** The code of each refusal, over all scenarios (decision on errors). */
import type { RequirementId } from '#protocol/requirements.ts';
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import type { Check } from '../../../../engine/check/check.ts';
import { first } from '../../../../engine/check/red-change.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import { codeOf, type EhrCheck, type EhrExpectation } from '../../check.ts';

/** The checks of the codes of all reasons. */
export function codeChecks(checks: readonly EhrCheck[]): Check[] {
  const reasons = Object.keys(CODE_ROWS) as (keyof typeof CODE_ROWS)[];
  return reasons.map((reason) => codeCheck(reason, checks));
}

/** The requirement about the code of each reason that an EHR server gives. */
const CODE_ROWS = {
  not_authorized: 'DE-not-authorized',
  session_expired: 'DE-session-expired',
  exchange_token_unknown: 'DE-exchange-token-unknown',
  exchange_token_expired: 'DE-exchange-token-expired',
  exchange_token_exhausted: 'DE-exchange-token-exhausted',
  too_many_failed_matches: 'DE-too-many-failed-matches',
  access_forbidden: 'DE-access-forbidden',
  patient_already_matched: 'DE-patient-already-matched',
  patient_not_matched: 'DE-patient-not-matched',
  token_already_stored: 'DE-token-already-stored',
  exchange_token_already_stored: 'DE-exchange-token-already-stored',
  user_unknown: 'DE-user-unknown',
  patient_already_linked: 'DE-patient-already-linked',
  invalid_params: 'DE-invalid-params',
} as const satisfies Partial<Record<Reason, RequirementId>>;

/** A check of the code by which a reason was told, over all steps that were to be refused for it. */
function codeCheck(reason: keyof typeof CODE_ROWS, checks: readonly EhrCheck[]): Check {
  const code = codeOf(reason);
  const steps = checks.flatMap(({ scenario, expect }) =>
    Object.entries(expect).flatMap(([label, expectation]) =>
      isRefusalFor(expectation, reason) ? [{ scenario: scenario.id, label }] : [],
    ),
  );
  const scenarios = [...new Set(steps.map(({ scenario }) => scenario))];
  return {
    id: `code-of-${reason.replaceAll('_', '-')}`,
    title: `A refusal for ${reason} has code ${code}`,
    // No decision gives this one a code of its own.
    level: reason === 'too_many_failed_matches' ? 'ADVICE' : 'MUST',
    requirements: [CODE_ROWS[reason]],
    scenarios,
    watchable: false,
    judge(journal) {
      const refused = steps
        .flatMap((label) => journal.steps(label))
        .filter(({ result }) => result.kind === 'refused');
      if (refused.length === 0)
        return { outcome: 'not applicable', because: `nothing was refused for ${reason}` };
      const other = refused.filter(({ result }) => result.kind === 'refused' && result.code !== code);
      const evidence = (other.length > 0 ? other : refused)
        .flatMap((played) => played.evidence)
        .slice(0, MAX_EVIDENCE);
      if (other.length === 0) return { outcome: 'pass', evidence };
      const codes = [
        ...new Set(
          other.map(({ result }) =>
            result.kind === 'refused' ? (result.code ?? `HTTP ${result.status}`) : '',
          ),
        ),
      ];
      return {
        outcome: 'fail',
        expected: `code ${code} (${errorTable[reason].when})`,
        actual: `code ${codes.join(', ')} (${other.length} of ${refused.length} refusals)`,
        evidence,
        blame: 'EHR server',
        advice: `Answer with code ${code} where ${errorTable[reason].when}.`,
      };
    },
    red: ({ entries, outcome }) => {
      const label = first(
        steps.filter((step) =>
          entries.some(
            (entry) =>
              entry.kind === 'step' && entry.scenario === step.scenario && entry.label === step.label,
          ),
        ),
      );
      outcome(label, { kind: 'refused', status: 200, code: '-32000' });
    },
  };
}

function isRefusalFor(expectation: EhrExpectation, reason: Reason): boolean {
  return expectation.kind === 'refused' && expectation.reason === reason;
}
