/** The cost of a million sessions: memory of a server that has answered for many of them, and disk space. */
import { statSync } from 'node:fs';
import type { Group } from '../bench.ts';
import { withServers } from '../contenders.ts';
import { sessionsCase, TABLES } from '../names.ts';
import { JUDGED_CONNECTIONS } from '../plan.ts';
import { measureSlice } from '../rates.ts';
import type { Row } from '../report/results.ts';

const MIB = 2 ** 20;
const MILLION = 1_000_000;

export const memory: Group = {
  id: TABLES.memory,
  about: 'memory and disk space by number of sessions',
  async run(bench) {
    const rows: Row[] = [];
    const taken: { sessions: number; figures: Record<string, number> }[] = [];
    for (const { sessions, users } of bench.plan.sizes) {
      bench.log(`memory: ${sessionsCase(sessions)}`);
      const database = await bench.databases.sessions({ sessions, users });
      const onDisk = statSync(database).size;
      const population = await bench.databases.population(users);
      const usage = await withServers(bench, async (start) => {
        const server = await start.ehr({ database, population });
        const plan = { kind: 'get_patient', sessions, users } as const;
        const contender = { of: '', servers: [server], plan, numbers: { next: 0 } };
        for (let round = 0; round < bench.plan.rounds; round++) {
          await measureSlice(bench, contender, JUDGED_CONNECTIONS);
        }
        return server.usage();
      });
      const figures = {
        'memory of its own': usage.anonymous / MIB,
        'resident, with the pages of its program': usage.resident / MIB,
        'sessions and links on disk': onDisk / MIB,
      };
      taken.push({ sessions, figures });
      for (const [of, value] of Object.entries(figures))
        rows.push({ case: sessionsCase(sessions), of, values: [value] });
    }
    const [first, last] = [taken[0], taken.at(-1)];
    if (first && last && last.sessions > first.sessions) {
      for (const [of, value] of Object.entries(last.figures)) {
        const growth = (value - (first.figures[of] as number)) / ((last.sessions - first.sessions) / MILLION);
        rows.push({ case: 'for each million more', of, values: [growth] });
      }
    }
    const about =
      'The EHR server after get_patient for random sessions at 32 connections. No database file is mapped into memory: what is read often is in the system’s cache, which counts for no process.';
    return [{ id: TABLES.memory, title: 'Memory and disk', about, unit: 'MiB', better: 'lower', rows }];
  },
};
