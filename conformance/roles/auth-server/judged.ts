/** What the judging of a finished run of an authorization server needs: it runs in a browser, too. */
import { requirements } from '#protocol/requirements.ts';
import type { JudgedRole } from '../../engine/role.ts';
import { checks } from './checks.ts';
import { scenarios } from './flows/index.ts';

/** Why no check judges the requirements of the mock authorization server (their ids begin with DA-). */
const OF_THE_MOCK =
  "it describes the mock's own interface, which another authorization server need not share";

export const judged: JudgedRole = {
  id: 'auth-server',
  party: 'auth server',
  checks,
  scenarios,
  notJudged: Object.fromEntries(
    requirements.filter(({ id }) => id.startsWith('DA-')).map(({ id }) => [id, OF_THE_MOCK]),
  ),
};
