/** For tests: makes findings (what a check found) that blame the authorization server. */
import type { Finding } from '../verdict.ts';

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
