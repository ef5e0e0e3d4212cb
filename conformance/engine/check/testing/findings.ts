/** For tests: makes findings (what a check found) that blame the authorization server. */
import type { Finding } from '../verdict.ts';

type Failed = Extract<Finding, { outcome: 'fail' }>;

/** A failed check. */
export const fail = (failure: Omit<Failed, 'outcome' | 'blame'>): Failed => ({
  outcome: 'fail',
  ...failure,
  blame: 'auth server',
});

/** A passed check, shown by the entries with these `seq`. */
export const pass = (evidence: number[]): Finding => ({ outcome: 'pass', evidence });

/** A check that could not judge, for this reason. */
export const inconclusive = (because: string, evidence: number[] = []): Finding => ({
  outcome: 'inconclusive',
  because,
  evidence,
  blame: 'auth server',
});
