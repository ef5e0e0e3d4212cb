/** Chooses what a run plays: the scenarios that the asked checks need. */
import type { Check } from './check.ts';

export function neededBy<S extends { readonly id: string }>(
  checks: readonly Check[],
  scenarios: readonly S[],
): S[] {
  const needed = new Set(checks.flatMap((check) => check.scenarios));
  return scenarios.filter(({ id }) => needed.has(id));
}

/** The number of scenarios that the doctor plays to examine the set-up. The progress display counts it. */
export const SET_UP = 1;
