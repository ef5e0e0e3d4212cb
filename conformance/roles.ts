/** The parties that can be judged, each with its checks and scenarios. */

import type { Check } from './checks/check.ts';
import { checks as authServerChecks } from './checks/index.ts';
import { allClientChecks, clientChecks } from './client/checks/index.ts';
import { allEhrChecks, ehrChecks } from './ehr-server/checks/index.ts';
import type { Party } from './journal/entry.ts';
import type { Role } from './journal/run-file.ts';
import { scenarios as authServerScenarios } from './scenarios/index.ts';

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
