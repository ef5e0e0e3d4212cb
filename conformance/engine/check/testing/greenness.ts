/** Compares outcomes: a run of which less is known may not look better. */
import type { Outcome, Verdict } from '../verdict.ts';

/** How green an outcome is; a warning and a check that does not apply do not make a run red. */
const GREENNESS: Readonly<Record<Outcome, number>> = {
  fail: 0,
  inconclusive: 0,
  warning: 1,
  'not applicable': 2,
  pass: 3,
};

export function greener(before: readonly Verdict[], after: readonly Verdict[]): string[] {
  return after.flatMap(({ check, outcome }) => {
    const was = before.find((each) => each.check === check)?.outcome ?? 'fail';
    return GREENNESS[outcome] > GREENNESS[was] ? [`${check}: ${was} became ${outcome}`] : [];
  });
}
