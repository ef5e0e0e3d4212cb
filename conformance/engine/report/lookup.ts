/** Looks up in a report what belongs to a verdict: its requirements, its cause, and the advice for it. */
import type { Verdict } from '../check/verdict.ts';
import type { Report, ReportedCause, ReportedRequirement } from './schema/schema.ts';

export function requirementsOf(
  { requirements: ids }: Pick<Verdict, 'requirements'>,
  report: Pick<Report, 'requirements'>,
): ReportedRequirement[] {
  const cited: readonly string[] = ids;
  return report.requirements.filter(({ id }) => cited.includes(id));
}

/**
 * The cause of a failing check, where another check shows it or several checks share it. `undefined` when the
 * check is its own cause.
 */
export function causeOf(check: string, causes: readonly ReportedCause[]): ReportedCause | undefined {
  const found = causes.find(({ checks }) => checks.includes(check));
  return found && found.check !== check && found.checks.length > 1 ? found : undefined;
}

/**
 * The advice for a red check, which is that of its cause. `undefined` when the cause has none: then the
 * advice of the check itself counts.
 */
export function adviceOf(check: string, causes: readonly ReportedCause[]): string | undefined {
  return causes.find(({ checks }) => checks.includes(check))?.advice;
}

export function causeWords({ cause, check }: ReportedCause): string {
  return check === undefined ? cause : `${check}: ${cause}`;
}
