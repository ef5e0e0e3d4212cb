/** What the judging of a finished run of an EHR server needs: it runs in a browser, too. */
import type { JudgedRole } from '../../engine/role.ts';
import { allEhrChecks, ehrFlows } from './flows/index.ts';

export const judged: JudgedRole = {
  id: 'ehr-server',
  party: 'EHR server',
  checks: allEhrChecks,
  scenarios: ehrFlows,
  notJudged: {
    'D39-look-alike-signs': 'a server that tells such signs apart is as right as one that does not',
  },
};
