/**
 * Weighs a check by the requirements that it judges. Only the interface and what is essential for safety
 * convict a party. Facts of the field and good practice are recommended beside them.
 */
import type { Requirement, RequirementSource } from '#protocol/requirements/requirement.ts';
import { requirement, type requirements } from '#protocol/requirements.ts';

/** The parts of a conclusion. Only the first says whether a party is conformant. */
export const parts = ['interface', 'safety'] as const;
export type ConclusionPart = (typeof parts)[number];

/** The sources that the kit judges by. What we decided for our own reference binds nobody else. */
export const judgedSources = [
  'interface',
  'field',
  'practice',
] as const satisfies readonly RequirementSource[];
export type JudgedSource = (typeof judgedSources)[number];

export type JudgedId = Extract<(typeof requirements)[number], { source: JudgedSource }>['id'];

/** MUST and SHOULD as in the requirement. Of safety, MUST is essential and SHOULD is recommended. */
export const levels = ['MUST', 'SHOULD'] as const;
export type CheckLevel = (typeof levels)[number];

export type Weight = { readonly part: ConclusionPart; readonly level: CheckLevel };

/** All weights, the heaviest first. An essential weakness is heavier than a SHOULD of the interface. */
const HEAVIEST_FIRST: readonly Weight[] = [
  { part: 'interface', level: 'MUST' },
  { part: 'safety', level: 'MUST' },
  { part: 'interface', level: 'SHOULD' },
  { part: 'safety', level: 'SHOULD' },
];

export const isJudged = <Row extends Pick<Requirement, 'source'>>(
  row: Row,
): row is Row & { source: JudgedSource } => row.source !== 'decision';

/** Returns the weight of one requirement. A fact of the field is recommended, whatever its level. */
export function weightOfRow({ source, level }: { source: JudgedSource; level: string }): Weight {
  return {
    part: source === 'practice' ? 'safety' : 'interface',
    level: level === 'MUST' && source !== 'field' ? 'MUST' : 'SHOULD',
  };
}

export function heaviest(weights: readonly Weight[]): Weight {
  const found = HEAVIEST_FIRST.find((each) =>
    weights.some(({ part, level }) => part === each.part && level === each.level),
  );
  return found ?? { part: 'safety', level: 'SHOULD' };
}

export function weightOf(cited: readonly JudgedId[]): Weight {
  return heaviest(
    cited
      .map((id) => requirement(id))
      .filter(isJudged)
      .map(weightOfRow),
  );
}
