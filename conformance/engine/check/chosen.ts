/** What a run plays for the checks that were chosen. */
import type { Check } from './check.ts';

/** The scenarios that these checks need, in their own order. */
export function neededBy<S extends { readonly id: string }>(
  checks: readonly Check[],
  scenarios: readonly S[],
): S[] {
  const needed = new Set(checks.flatMap((check) => check.scenarios));
  return scenarios.filter(({ id }) => needed.has(id));
}

/** Where the doctor plays a scenario of its own, it counts in the progress. */
export const SET_UP = 1;
