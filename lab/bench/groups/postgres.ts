/** The EHR server on PostgreSQL: one process, and several that share the database. */

import { createDatabaseOn, dropDatabase } from '#testing/postgres/databases.ts';
import { startPostgres } from '#testing/postgres.ts';
import { fillPostgres } from '../data/postgres.ts';
import type { RequestPlan } from '../load/requests.ts';
import { connectionsCase, TABLES } from '../names.ts';
import { type Condition, type Contender, measureRates } from '../rates.ts';
import type { ResultTable } from '../report/results.ts';
import type { Bench, Group } from '../run.ts';
import { withServers } from '../servers.ts';

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

async function measure(bench: Bench, database: string): Promise<ResultTable[]> {
  const { sessions } = bench.plan;
  const size = { sessions, users: sessions };
  const population = await bench.databases.population(sessions);
  // The first start creates the tables.
  await withServers(bench, (start) => start.ehr({ database, population }, {}, 'anywhere'));
  bench.log(`filling PostgreSQL with ${sessions} sessions`);
  await fillPostgres(database, size);
  return withServers(bench, async (start) => {
    const startOn = (file: string) => start.ehr({ database: file, population }, {}, 'anywhere');
    const processes = await Promise.all(
      Array.from({ length: Math.max(...PROCESS_COUNTS) }, () => startOn(database)),
    );
    const reference = await startOn(await bench.databases.sessions(size));
    const measureCall = (plan: RequestPlan, id: string): Promise<ResultTable> => {
      // The processes save into one database: no token may be saved twice.
      const numbers = { next: 0 };
      const fleets = PROCESS_COUNTS.map((count) => ({
        of: fleetName(count),
        servers: processes.slice(0, count),
      }));
      const contenders: Contender[] = [
        { of: ONE_ON_SQLITE, servers: [reference], plan, numbers: { next: 0 } },
        ...fleets.map((fleet) => ({ ...fleet, plan, numbers })),
      ];
      const conditions = CONNECTION_COUNTS.map(
        (connections): Condition => ({ case: connectionsCase(connections), connections, contenders }),
      );
      const table = { id, title: `${plan.kind} on PostgreSQL`, about: ABOUT, base: ONE_ON_SQLITE };
      return measureRates(bench, table, conditions);
    };
    return [
      await measureCall({ kind: 'get_patient', ...size }, TABLES.postgres),
      await measureCall({ kind: 'save_auth_info', users: sessions }, `${TABLES.postgres}-saves`),
    ];
  });
}

const ABOUT =
  'Sessions, links and audit on PostgreSQL with its own defaults (synchronous commit), the population in a SQLite file. Nothing is pinned: processes, PostgreSQL and load share the cores of one machine, so this shows the price of a call and not how far a fleet goes on machines of its own. CPU time is that of the EHR processes alone.';

function fleetName(processes: number): string {
  return processes === 1 ? '1 process on PostgreSQL' : `${processes} processes on PostgreSQL`;
}
