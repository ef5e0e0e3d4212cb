/** Requirements of decisions 39 to 41: names as keyboards type them. */
import type { Requirement } from './requirement.ts';

export const decisions39to41 = [
  {
    id: 'D39-look-alike-signs',
    clause: 'decision 39',
    source: 'decision',
    party: 'ehr-server',
    level: 'MUST',
    text: 'In names apostrophes are one sign, hyphens are one sign, and invisible marks count for nothing.',
  },
] as const satisfies readonly Requirement[];
