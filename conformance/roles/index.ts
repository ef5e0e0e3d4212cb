/**
 * The parties that the kit can judge. Where a command or a file names no role, the first is judged. `one` is
 * the party in words; `load` imports the role only when it is needed.
 */
import type { RoleEntry } from '../engine/role.ts';

export const roles: readonly RoleEntry[] = [
  {
    id: 'auth-server',
    one: 'an authorization server',
    load: async () => (await import('./auth-server/index.ts')).role,
  },
  { id: 'ehr-server', one: 'an EHR server', load: async () => (await import('./ehr-server/index.ts')).role },
  { id: 'client', one: 'a client', load: async () => (await import('./client/index.ts')).role },
];
