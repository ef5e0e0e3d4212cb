/** What the judging of a finished run of an authorization server needs: it runs in a browser, too. */
import type { JudgedRole } from '../../engine/role.ts';
import { checks } from './checks.ts';
import { scenarios } from './flows/index.ts';

export const judged: JudgedRole = { id: 'auth-server', party: 'auth server', checks, scenarios };
