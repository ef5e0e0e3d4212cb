/** The EHR server on PostgreSQL: one process, and several that share the database. */

import { createDatabaseOn, dropDatabase } from '#testing/postgres/databases.ts';
import { startPostgres } from '#testing/postgres.ts';
import type { Bench, Group } from '../bench.ts';
import { type Data, type Starter, withServers } from '../contenders.ts';
import { fillPostgres } from '../data/postgres.ts';
import type { RequestPlan } from '../load/messages.ts';
import { connectionsCase, TABLES } from '../names.ts';
import type { Server } from '../processes/server.ts';
import { type Case, type Contender, measureRates } from '../rates.ts';
import type { Table } from '../report/results.ts';

const PROCESS_COUNTS = [1, 2, 4];
const CONNECTION_COUNTS = [32, 128];
const ONE_ON_SQLITE = '1 process on SQLite';

export const postgres: Group = {
  id: TABLES.postgres,
  about: 'get_patient and save_auth_info on PostgreSQL, with 1, 2 and 4 processes',
  async run(bench) {
    bench.log('starting PostgreSQL');
    const own = bench.postgres === undefined ? await startPostgres() : undefined;
    const serverUrl = bench.postgres ?? (own?.url as string);
    try {
      const database = await createDatabaseOn(serverUrl);
      try {
        return await measure(bench, database);
      } finally {
        await dropDatabase(database, serverUrl);
      }
    } finally {
      await own?.close();
    }
  },
};

async function measure(bench: Bench, database: string): Promise<Table[]> {
  const { sessions } = bench.plan;
  const size = { sessions, users: sessions };
  const population = await bench.databases.population(sessions);
  // The first start creates the tables.
  await withServers(bench, (start) => start.ehr({ database, population }, {}, 'anywhere'));
  bench.log(`filling PostgreSQL with ${sessions} sessions`);
  await fillPostgres(database, size);
  return withServers(bench, async (start) => {
    const fleets = await startFleets(start, { database, population });
    const reference = await start.ehr({ database: await bench.databases.sessions(size), population }, {}, 'anywhere');
    const contendersOf = (plan: RequestPlan): Contender[] => {
      // The processes save into one database: no token may be saved twice.
      const shared = { next: 0 };
      return [
        { of: ONE_ON_SQLITE, servers: [reference], plan, numbers: { next: 0 } },
        ...fleets.map((servers) => ({ of: fleetName(servers), servers, plan, numbers: shared })),
      ];
    };
    const table = (kind: 'get_patient' | 'save_auth_info', plan: RequestPlan): Promise<Table> => {
      const contenders = contendersOf(plan);
      const cases: Case[] = CONNECTION_COUNTS.map((connections) => ({
        case: connectionsCase(connections),
        connections,
        contenders,
      }));
      const about = `${ABOUT} CPU time is that of the EHR processes alone.`;
      const id = kind === 'get_patient' ? TABLES.postgres : `${TABLES.postgres}-saves`;
      return measureRates(bench, { id, title: `${kind} on PostgreSQL`, about, base: ONE_ON_SQLITE }, cases);
    };
    return [
      await table('get_patient', { kind: 'get_patient', ...size }),
      await table('save_auth_info', { kind: 'save_auth_info', users: sessions }),
    ];
  });
}

const ABOUT =
  'Sessions, links and audit on PostgreSQL with its own defaults (synchronous commit), the population in a SQLite file. Nothing is pinned: processes, PostgreSQL and load share the cores of one machine, so this shows the price of a call and not how far a fleet goes on machines of its own.';

async function startFleets(start: Starter, data: Data): Promise<Server[][]> {
  const most = Math.max(...PROCESS_COUNTS);
  const servers = await Promise.all(Array.from({ length: most }, () => start.ehr(data, {}, 'anywhere')));
  return PROCESS_COUNTS.map((count) => servers.slice(0, count));
}

function fleetName(servers: readonly Server[]): string {
  return servers.length === 1 ? '1 process on PostgreSQL' : `${servers.length} processes on PostgreSQL`;
}
