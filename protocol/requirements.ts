/** The requirement table: all demands of the interface and its decisions, each with an id to cite. */
import { decisionAuthServer } from './requirements/decision-auth-server.ts';
import { decisionErrors } from './requirements/decision-errors.ts';
import { decisions0to7 } from './requirements/decisions-0-to-7.ts';
import { decisions8to14 } from './requirements/decisions-8-to-14.ts';
import { decisions15to22 } from './requirements/decisions-15-to-22.ts';
import { decisions23to29 } from './requirements/decisions-23-to-29.ts';
import { decisions30to41 } from './requirements/decisions-30-to-41.ts';
import { design } from './requirements/design.ts';
import { practiceClient } from './requirements/practice/client.ts';
import { practiceClientValues } from './requirements/practice/client-values.ts';
import { practiceCodes } from './requirements/practice/codes.ts';
import { practiceConduct } from './requirements/practice/conduct.ts';
import { practiceEhrServer } from './requirements/practice/ehr-server.ts';
import { practiceMisuse } from './requirements/practice/misuse.ts';
import { practiceSessions } from './requirements/practice/sessions.ts';
import type { Requirement } from './requirements/requirement.ts';
import { section1 } from './requirements/section-1-flow.ts';
import { section2Envelope } from './requirements/section-2-envelope.ts';
import { section2Fields } from './requirements/section-2-fields.ts';
import { section3 } from './requirements/section-3-states.ts';
import { section4ClientMethods } from './requirements/section-4-client-methods.ts';
import { section4Saves } from './requirements/section-4-saves.ts';
import { section5 } from './requirements/section-5-authentication.ts';
import { sections7to9 } from './requirements/sections-7-to-9.ts';

/** Every requirement, those of the interface first, in the order of its sections. */
export const requirements = [
  ...section1,
  ...section2Envelope,
  ...section2Fields,
  ...section3,
  ...section4Saves,
  ...section4ClientMethods,
  ...section5,
  ...sections7to9,
  ...decisions0to7,
  ...decisionErrors,
  ...decisions8to14,
  ...decisions15to22,
  ...decisions23to29,
  ...decisions30to41,
  ...decisionAuthServer,
  ...design,
  ...practiceClient,
  ...practiceClientValues,
  ...practiceCodes,
  ...practiceConduct,
  ...practiceMisuse,
  ...practiceSessions,
  ...practiceEhrServer,
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
  if (!row)
    throw new Error(
      `Failed to find a requirement: there is none with the id "${id}". Please correct the id.`,
    );
  return row;
}

const byId: ReadonlyMap<string, Requirement> = new Map(requirements.map((row) => [row.id, row]));
