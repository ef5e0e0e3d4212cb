/** The requirement table: all demands of the interface and its decisions, each with an id to cite. */

import { interfaceClient, practiceClient } from './requirements/client.ts';
import { decisions } from './requirements/decisions.ts';
import { interfaceEhrServer, practiceEhrServer } from './requirements/ehr-server.ts';
import { field } from './requirements/field.ts';
import { interfaceAuthServer } from './requirements/interface-auth-server.ts';
import { practiceAuthServer } from './requirements/practice-auth-server.ts';
import type { Requirement } from './requirements/requirement.ts';

/** Every requirement by source, then by party. */
export const requirements = [
  ...interfaceEhrServer,
  ...interfaceAuthServer,
  ...interfaceClient,
  ...field,
  ...decisions,
  ...practiceEhrServer,
  ...practiceAuthServer,
  ...practiceClient,
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
