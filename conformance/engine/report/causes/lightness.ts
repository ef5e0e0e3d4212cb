/** Weighs symptoms and groups of them, so that a report begins with what counts most. */
import { requirements } from '#protocol/requirements.ts';
import type { Group } from './follows.ts';
import type { Symptom } from './symptom.ts';

/** The requirements that are facts of the field. */
const facts: ReadonlySet<string> = new Set(
  requirements.filter(({ source }) => source === 'field').map(({ id }) => id),
);

/**
 * Returns 0 for a failure; more for what could not be judged, a fact of the field, a warning, and a
 * difference from the reference.
 */
export function lightnessOf({ verdict: { outcome, requirements: judged } }: Symptom): number {
  if (outcome === 'differs') return 4;
  if (outcome === 'warning') return 3;
  if (outcome === 'inconclusive') return 1;
  return judged.every((id) => facts.has(id)) ? 2 : 0;
}

/** The lightness of the heaviest symptom of a group. */
export const lightnessOfGroup = (group: Group): number => Math.min(...group.map(lightnessOf));

/** How many checks of a group failed. */
export const failuresIn = (group: Group): number =>
  group.filter(({ verdict }) => verdict.outcome === 'fail').length;

/** Whether a check tells a difference from the reference, which is never red. */
export const isDifference = ({ verdict }: Symptom): boolean => verdict.outcome === 'differs';

/** Whether others may follow from a cause. From differences alone nothing but differences follow. */
export const mayExplain = (cause: Group, group: Group): boolean =>
  !cause.every(isDifference) || group.every(isDifference);

/** 0 where a check found something wrong, 1 where it could not judge, and so shows no cause. */
export const doubtOf = ({ verdict }: Symptom): number => Number(verdict.finding.outcome !== 'fail');
