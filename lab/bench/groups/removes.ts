/** The two removals: a logout, and the end of a link with all its sessions. */
import type { Group } from '../bench.ts';
import { withServers } from '../contenders.ts';
import { BARE, EHR, TABLES } from '../names.ts';
import { JUDGED_CONNECTIONS } from '../plan.ts';
import { type Case, measureRates } from '../rates.ts';

export const removes: Group = {
  id: TABLES.removes,
  about: 'remove_auth_info and remove_authentication',
  async run(bench) {
    const { sessions } = bench.plan;
    const population = await bench.databases.population(sessions);
    return withServers(bench, async (start) => {
      const ownCopy = async () => ({
        database: await bench.databases.sessions({ sessions, users: sessions }),
        population,
      });
      const servers = {
        [EHR]: await start.ehr(await ownCopy()),
        [BARE]: await start.peer('bare', await ownCopy()),
      };
      // Each removal needs a session that still exists, so each method takes its sessions from one half.
      const methods = [
        { method: 'remove_auth_info', plan: { kind: 'remove_auth_info', users: sessions }, first: 0 },
        { method: 'remove_authentication', plan: { kind: 'remove_authentication' }, first: sessions / 2 },
      ] as const;
      const cases: Case[] = methods.map(({ method, plan, first }) => ({
        case: method,
        connections: JUDGED_CONNECTIONS,
        contenders: Object.entries(servers).map(([of, server]) => ({
          of,
          servers: [server],
          plan,
          numbers: { next: first },
        })),
      }));
      const about = `Durable, ${JUDGED_CONNECTIONS} connections; every call ends another session or removes another link.`;
      return [await measureRates(bench, { id: TABLES.removes, title: 'Removals', about, base: BARE }, cases)];
    });
  },
};
