/** Weighs a group of symptoms, so that a report begins with what counts most. */
import { requirements } from '#protocol/requirements.ts';
import type { Group } from './follows.ts';

/** The requirements that are facts of the field. */
const facts: ReadonlySet<string> = new Set(
  requirements.filter(({ source }) => source === 'field').map(({ id }) => id),
);

/** Returns 0 for a group with something red; more for facts of the field, warnings and differences alone. */
export function lightnessOf(group: Group): number {
  return Math.min(
    ...group.map(({ verdict: { outcome, requirements: judged } }) => {
      if (outcome === 'differs') return 3;
      if (outcome === 'warning') return 2;
      return Number(outcome === 'fail' && judged.every((id) => facts.has(id)));
    }),
  );
}
