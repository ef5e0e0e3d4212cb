/** For tests: makes findings that blame the authorization server, and compares verdicts. */
import type { Finding, Outcome, Verdict } from '../verdict.ts';

type Failed = Extract<Finding, { outcome: 'fail' }>;

export const fail = (failure: Omit<Failed, 'outcome' | 'blame'>): Failed => ({
  outcome: 'fail',
  ...failure,
  blame: 'auth server',
});

export const pass = (evidence: number[]): Finding => ({ outcome: 'pass', evidence });

export const inconclusive = (because: string, evidence: number[] = []): Finding => ({
  outcome: 'inconclusive',
  because,
  evidence,
  blame: 'auth server',
});

export function brokenChecks(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap(({ check, finding }) =>
    finding.outcome === 'inconclusive' && finding.because.startsWith('this check has a fault') ? [check] : [],
  );
}

/** How green an outcome is; a warning and a check that does not apply do not make a run red. */
const GREENNESS: Readonly<Record<Outcome, number>> = {
  fail: 0,
  inconclusive: 0,
  warning: 1,
  'not applicable': 2,
  pass: 3,
};

/** Lists what looks better in the second run, of which less is known. */
export function greener(before: readonly Verdict[], after: readonly Verdict[]): string[] {
  return after.flatMap(({ check, outcome }) => {
    const was = before.find((each) => each.check === check)?.outcome ?? 'fail';
    return GREENNESS[outcome] > GREENNESS[was] ? [`${check}: ${was} became ${outcome}`] : [];
  });
}
