/** For tests: three requirements, and a kit of one role with one check. */
import type { Requirement } from '#protocol/requirements/requirement.ts';
import type { Kit, RoleKit } from '../kit.ts';

export const row = (id: string): Requirement => {
  const about = { clause: '§4.1', party: 'ehr-server', level: 'MUST' } as const;
  return { id, ...about, ...originOf(id), text: `What ${id} | demands.` };
};
const originOf = (id: string) => {
  if (id.startsWith('K')) return { source: 'practice', risk: 'somebody reads C' } as const;
  if (id.startsWith('D')) return { source: 'decision' } as const;
  return { source: 'interface', basis: 'A is there.' } as const;
};
export const rows = [row('4.1-a'), row('D9-b'), row('K-c')];

export const authServer: RoleKit = {
  role: 'auth-server',
  checks: [
    {
      id: 'a-seen',
      title: 'A is | seen',
      requirements: ['4.1-a', 'K-c'],
      scenarios: ['walk'],
      advice: 'Show A.',
    },
  ],
  scenarios: [{ id: 'walk', title: 'Somebody walks' }],
  defects: [
    { id: 'a-hidden', title: 'A is hidden', caughtBy: 'a-seen' },
    { id: 'b-hidden', title: 'B is hidden', caughtBy: 'a-seen' },
  ],
};
export const kit: Kit = { roles: [authServer] };
