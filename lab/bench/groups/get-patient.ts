/**
 * get_patient, the most frequent call of clients: against all peers at several connection counts, and alone
 * at several sizes.
 */
import { readOnce } from '../data/databases.ts';
import {
  BARE,
  BARE_UNAUDITED,
  connectionsCase,
  EHR,
  EHR_UNAUDITED,
  EXPRESS,
  JAYSON,
  JSON_RPC,
  sessionsCase,
  TABLES,
} from '../names.ts';
import { JUDGED_CONNECTIONS } from '../plan.ts';
import { type Condition, type Contender, measureRates } from '../rates.ts';
import type { ResultTable } from '../report/results.ts';
import type { Bench, Group } from '../run.ts';
import { withServers } from '../servers.ts';

export const getPatient: Group = {
  id: TABLES.getPatient,
  about: 'get_patient against all peers, and at growing numbers of sessions',
  run: async (bench) => [await againstPeers(bench), await atSizes(bench)],
};

async function againstPeers(bench: Bench): Promise<ResultTable> {
  const { sessions, connections } = bench.plan;
  const data = {
    database: await bench.databases.sessions({ sessions, users: sessions }),
    population: await bench.databases.population(sessions),
  };
  return withServers(bench, async (start) => {
    const call = { plan: { kind: 'get_patient', sessions, users: sessions } as const, numbers: { next: 0 } };
    const contenders: Contender[] = [
      { of: EHR, servers: [await start.ehr(data)], ...call },
      { of: BARE, servers: [await start.peer('bare', data)], ...call },
      { of: EXPRESS, servers: [await start.peer('express', data)], ...call },
      { of: JAYSON, servers: [await start.peer('jayson', data)], ...call },
      { of: JSON_RPC, servers: [await start.peer('json-rpc', data)], ...call },
    ];
    const unaudited: Contender[] = [
      { of: EHR_UNAUDITED, servers: [await start.ehr(data, { EHR_AUDIT: 'off' })], ...call },
      { of: BARE_UNAUDITED, servers: [await start.peer('bare', data, ['--no-audit'])], ...call },
    ];
    const cases: Condition[] = connections.map((count) => ({
      case: connectionsCase(count),
      connections: count,
      contenders: count === JUDGED_CONNECTIONS ? [...contenders, ...unaudited] : contenders,
    }));
    const about = `A random session out of ${sessionsCase(sessions)} for each call. Everyone runs the same prepared statements on the same database, and writes the same entry of the audit, committed with those of its event-loop turn, before the reply; the two named so write none.`;
    return measureRates(bench, { id: TABLES.getPatient, title: 'get_patient', about, base: BARE }, cases);
  });
}

async function atSizes(bench: Bench): Promise<ResultTable> {
  return withServers(bench, async (start) => {
    const cases: Condition[] = [];
    for (const { sessions, users } of bench.plan.sizes) {
      const data = {
        database: await bench.databases.sessions({ sessions, users }),
        population: await bench.databases.population(users),
      };
      const prepare = async () => {
        await readOnce(data.database);
        await readOnce(data.population);
      };
      const plan = { kind: 'get_patient', sessions, users } as const;
      const call = { plan, numbers: { next: 0 }, prepare, warmUpMs: bench.plan.warmUpOfSizesMs };
      cases.push({
        case: sessionsCase(sessions),
        connections: JUDGED_CONNECTIONS,
        contenders: [
          { of: EHR, servers: [await start.ehr(data)], ...call },
          { of: BARE, servers: [await start.peer('bare', data)], ...call },
        ],
      });
    }
    const sizes = bench.plan.sizes.map(
      ({ sessions, users }) => `${sessionsCase(sessions)} of ${users} users`,
    );
    const about = `${JUDGED_CONNECTIONS} connections, a random session for each call; as many linked patients as users: ${sizes.join(', ')}. Before each slice the files are read once, and for a while calls are not counted: a server at work has its files in memory.`;
    return measureRates(bench, { id: TABLES.sizes, title: 'get_patient by size', about, base: BARE }, cases);
  });
}
