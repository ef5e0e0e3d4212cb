/** The requirement table: all demands of the interface and its decisions, each with an id to cite. */
import { decisionAuthServer } from './requirements/decision-auth-server.ts';
import { decisionErrors } from './requirements/decision-errors.ts';
import { decisions0to8 } from './requirements/decisions-0-to-8.ts';
import { decisions9to14 } from './requirements/decisions-9-to-14.ts';
import { decisions15to22 } from './requirements/decisions-15-to-22.ts';
import { decisions23to29 } from './requirements/decisions-23-to-29.ts';
import { decisions30to38 } from './requirements/decisions-30-to-38.ts';
import { decisions39to41 } from './requirements/decisions-39-to-41.ts';
import { design } from './requirements/design.ts';
import { goodPracticeClient } from './requirements/good-practice-client.ts';
import { goodPracticeConduct } from './requirements/good-practice-conduct.ts';
import { goodPracticeMisuse } from './requirements/good-practice-misuse.ts';
import { section1 } from './requirements/section-1-flow.ts';
import { section2 } from './requirements/section-2-fields.ts';
import { section3 } from './requirements/section-3-states.ts';
import { section4ClientMethods } from './requirements/section-4-client-methods.ts';
import { section4Saves } from './requirements/section-4-saves.ts';
import { sections5to9 } from './requirements/sections-5-to-9.ts';

/** The parties that must meet a requirement, and that can be judged. */
export const parties = ['auth-server', 'ehr-server', 'client'] as const;
export type Party = (typeof parties)[number];

/** How binding it is, as in RFC 2119. */
export type Level = 'MUST' | 'SHOULD' | 'MAY';

/** One observable demand on a party. */
export type Requirement = {
  /**
   * Starts with the section of the interface ('4.1-token-unique') or D and the number of the decision
   * ('D9-ttl-minutes'); DE is the error table, DA the authorization server's own interface, X our own design,
   * K good practice that the conformance kit judges too.
   */
  readonly id: string;
  /**
   * Its sources, separated by comma and space: '§4.1', '§1 rule 3', 'decision 9', 'design', 'good practice'.
   */
  readonly clause: string;
  readonly party: Party | readonly Party[];
  readonly level: Level;
  /** The requirement in our own words: one testable sentence, in the present tense. */
  readonly text: string;
  /** Present only if no test can or need prove it: the reason in one sentence. */
  readonly excluded?: string;
};

/** Every requirement, those of the interface first, in the order of its sections. */
export const requirements = [
  ...section1,
  ...section2,
  ...section3,
  ...section4Saves,
  ...section4ClientMethods,
  ...sections5to9,
  ...decisions0to8,
  ...decisionErrors,
  ...decisions9to14,
  ...decisions15to22,
  ...decisions23to29,
  ...decisions30to38,
  ...decisions39to41,
  ...decisionAuthServer,
  ...design,
  ...goodPracticeClient,
  ...goodPracticeConduct,
  ...goodPracticeMisuse,
] as const satisfies readonly Requirement[];

/** The id of a requirement, which tests, checks and reports cite. */
export type RequirementId = (typeof requirements)[number]['id'];

/**
 * Find the requirement with this id.
 * @throws {Error} when there is none, which only an id unknown to the compiler can cause
 * @example requirement('4.1-token-unique').text
 */
export function requirement(id: RequirementId): Requirement {
  const row = byId.get(id);
  if (!row) throw new Error(`Failed to find a requirement: there is none with the id "${id}". Please correct the id.`);
  return row;
}

const byId: ReadonlyMap<string, Requirement> = new Map(requirements.map((row) => [row.id, row]));
