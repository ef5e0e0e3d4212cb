/** What the judging of a finished run of a client needs: it runs in a browser, too. */
import type { JudgedRole } from '../../engine/role.ts';
import { allClientChecks, clientFlows } from './flows/index.ts';

export const judged: JudgedRole = {
  id: 'client',
  party: 'client',
  checks: allClientChecks,
  scenarios: clientFlows,
  notJudged: { 'K-client-exchange-token-spent': 'The tests of our own client show it.' },
};
