/** What the judging of a finished run of an EHR server needs: it runs in a browser, too. */
import type { JudgedRole } from '../../engine/role.ts';
import { allEhrChecks, ehrScenarios } from './flows/index.ts';
import { NOT_JUDGED } from './not-judged.ts';

export const judged: JudgedRole = {
  id: 'ehr-server',
  party: 'EHR server',
  checks: allEhrChecks,
  scenarios: ehrScenarios,
  notJudged: NOT_JUDGED,
};
