/** The groups of measurements: get_patient, and the two durable saves of the authorization server. */

import type { RequestKind } from './load/requests.ts';
import { type Contender, readers, writers } from './plan.ts';
import { measureRates } from './rates.ts';
import type { ResultTable } from './report/results.ts';
import type { Bench, BenchGroup } from './run.ts';
import { withServers } from './servers.ts';

/** The tables, by their ids. The targets find their figures by these. */
export const TABLES = {
  getPatient: 'get-patient',
  saveAuthInfo: 'save-auth-info',
  saveExchangeToken: 'save-exchange-token',
} as const;

const aboutReads = (sessions: number) =>
  `A random session out of ${sessions.toLocaleString('en').replaceAll(',', ' ')} for each call. Everyone runs the same prepared statements, and writes the same entry of the audit, committed with those of its event-loop turn, before the reply.`;
const DURABLE =
  'Durable: the reply comes after the commit is on the disk (WAL, synchronous=FULL). The EHR server and the bare one commit the calls of an event-loop turn together, and those of the turns right after it, and make checkpoints in a thread; express commits each call by itself, as people write it, and leaves checkpoints to SQLite.';

export const groups: readonly BenchGroup[] = [
  {
    id: TABLES.getPatient,
    run: async (bench) => [
      await measure(bench, TABLES.getPatient, 'get_patient', aboutReads(bench.plan.sessions), readers),
    ],
  },
  {
    id: 'saves',
    run: async (bench) => [
      await measure(bench, TABLES.saveAuthInfo, 'save_auth_info', DURABLE, writers),
      await measure(bench, TABLES.saveExchangeToken, 'save_exchange_token', DURABLE, writers),
    ],
  },
];

/** Measures one call on all contenders, each with a copy of the database of its own. */
function measure(
  bench: Bench,
  id: string,
  kind: RequestKind,
  about: string,
  contenders: readonly Contender[],
): Promise<ResultTable> {
  const { sessions } = bench.plan;
  return withServers(bench, async (start) => {
    const population = await bench.databases.population(sessions);
    const running = [];
    for (const contender of contenders) {
      const data = { database: await bench.databases.sessions(sessions), population };
      running.push({ of: contender.name, server: await start(contender, data), next: 0 });
    }
    return measureRates(bench, { id, title: kind, about }, { kind, sessions }, running);
  });
}
