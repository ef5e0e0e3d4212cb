/** The parties that can be judged, each with its checks and scenarios. */

import type { Check } from './engine/check/check.ts';
import type { Party } from './engine/journal/entry.ts';
import type { Role } from './engine/journal/run-file.ts';
import { checks as authServerChecks } from './roles/auth-server/checks/index.ts';
import { scenarios as authServerScenarios } from './roles/auth-server/flows/index.ts';
import { allClientChecks, clientChecks } from './roles/client/flows/index.ts';
import { allEhrChecks, ehrChecks } from './roles/ehr-server/flows/index.ts';

export type RoleParts = {
  /** How findings name the party. */
  party: Party;
  checks: readonly Check[];
  scenarios: readonly { id: string; title: string }[];
};

export const roles: Readonly<Record<Role, RoleParts>> = {
  'auth-server': { party: 'auth server', checks: authServerChecks, scenarios: authServerScenarios },
  'ehr-server': {
    party: 'EHR server',
    checks: allEhrChecks,
    scenarios: ehrChecks.map(({ scenario }) => scenario),
  },
  client: {
    party: 'client',
    checks: allClientChecks,
    scenarios: clientChecks.map(({ scenario }) => scenario),
  },
};

/** The parts of the party that a run judges. */
export function roleOf({ role = 'auth-server' }: { role?: Role | undefined }): RoleParts {
  return roles[role];
}
