/**
 * Weighs a check by the requirements that it judges. A vendor is bound by the interface and by what is
 * deployed in the field; safety and likeness to our reference are told apart from it.
 */
import type { RequirementSource } from '#protocol/requirements/requirement.ts';
import { type RequirementId, requirement } from '#protocol/requirements.ts';

/** The parts of a conclusion. Only the first says whether a party is conformant. */
export const parts = ['interface', 'safety', 'reference'] as const;
export type ConclusionPart = (typeof parts)[number];

/** The part in which a requirement of each source counts. */
const partOfSource: Readonly<Record<RequirementSource, ConclusionPart>> = {
  interface: 'interface',
  field: 'interface',
  practice: 'safety',
  decision: 'reference',
};

/** MUST and SHOULD as in the requirement. Of safety, MUST is essential and SHOULD is recommended. */
export const levels = ['MUST', 'SHOULD'] as const;
export type CheckLevel = (typeof levels)[number];

/** What a fault counts for, and how much. */
export type Weight = { readonly part: ConclusionPart; readonly level: CheckLevel };

/** All weights, the heaviest first. An essential weakness is heavier than a SHOULD of the interface. */
const HEAVIEST_FIRST: readonly Weight[] = [
  { part: 'interface', level: 'MUST' },
  { part: 'safety', level: 'MUST' },
  { part: 'interface', level: 'SHOULD' },
  { part: 'safety', level: 'SHOULD' },
  { part: 'reference', level: 'MUST' },
  { part: 'reference', level: 'SHOULD' },
];

/** Returns the weight of one requirement. A MAY weighs as a SHOULD where it is judged. */
export function weightOfRow({ source, level }: { source: RequirementSource; level: string }): Weight {
  return { part: partOfSource[source], level: level === 'MUST' ? 'MUST' : 'SHOULD' };
}

/** Returns the heaviest of these weights. */
export function heaviest(weights: readonly Weight[]): Weight {
  const found = HEAVIEST_FIRST.find((each) =>
    weights.some(({ part, level }) => part === each.part && level === each.level),
  );
  return found ?? { part: 'reference', level: 'SHOULD' };
}

/** Returns the weight of a check: that of its heaviest requirement. */
export function weightOf(requirements: readonly RequirementId[]): Weight {
  return heaviest(requirements.map((id) => weightOfRow(requirement(id))));
}
