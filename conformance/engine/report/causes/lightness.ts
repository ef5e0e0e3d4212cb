/** Weighs symptoms and groups of them, so that a report begins with what counts most. */
import type { Group } from './follows.ts';
import type { Symptom } from './symptom.ts';

/** Returns 0 for a failure; more for what could not be judged, and for a warning. */
export function lightnessOf({ verdict: { outcome } }: Symptom): number {
  return outcome === 'warning' ? 2 : Number(outcome === 'inconclusive');
}

export const lightnessOfGroup = (group: Group): number => Math.min(...group.map(lightnessOf));

export const failuresIn = (group: Group): number =>
  group.filter(({ verdict }) => verdict.outcome === 'fail').length;

/** 0 where a check found something wrong, 1 where it could not judge, and so shows no cause. */
export const doubtOf = ({ verdict }: Symptom): number => Number(verdict.finding.outcome !== 'fail');
