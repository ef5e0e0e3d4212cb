/** The two durable saves of the authorization server: an acknowledged save is on the disk. */
import type { RequestPlan } from '../load/requests.ts';
import { BARE, BARE_PER_CALL, connectionsCase, EHR, EXPRESS, JAYSON, JSON_RPC, TABLES } from '../names.ts';
import { JUDGED_CONNECTIONS } from '../plan.ts';
import { type Condition, type Contender, measureRates } from '../rates.ts';
import type { ResultTable } from '../report/results.ts';
import type { Bench, Group } from '../run.ts';
import { type Starter, withServers } from '../servers.ts';

export const saves: Group = {
  id: 'saves',
  about: 'save_auth_info and save_exchange_token, durable',
  run: async (bench) => [
    await measure(bench, 'save_auth_info', TABLES.saveAuthInfo),
    await measure(bench, 'save_exchange_token', TABLES.saveExchangeToken),
  ],
};

async function measure(
  bench: Bench,
  kind: 'save_auth_info' | 'save_exchange_token',
  id: string,
): Promise<ResultTable> {
  return withServers(bench, async (start) => {
    const [main, more] = await contendersOf(bench, start, { kind, users: bench.plan.sessions });
    const cases: Condition[] = bench.plan.connections.map((count) => ({
      case: connectionsCase(count),
      connections: count,
      contenders: count === JUDGED_CONNECTIONS ? [...main, ...more] : main,
    }));
    const about =
      'Durable: the reply comes after the commit is on the disk (WAL, synchronous=FULL). The EHR server and the bare one commit the calls of an event-loop turn together, and those of the turns right after it, and make checkpoints in a thread; the peers commit each call by itself, as people write it, and leave checkpoints to SQLite. Each has a copy of the database of its own.';
    return measureRates(bench, { id, title: kind, about, base: BARE }, cases);
  });
}

/** Returns who is measured at every number of connections, and who at the judged one alone. */
async function contendersOf(
  bench: Bench,
  start: Starter,
  plan: RequestPlan,
): Promise<[Contender[], Contender[]]> {
  const { sessions } = bench.plan;
  const population = await bench.databases.population(sessions);
  const ownCopy = async () => ({
    database: await bench.databases.sessions({ sessions, users: sessions }),
    population,
  });
  const peer = async (of: string, program: 'bare' | 'express' | 'jayson' | 'json-rpc', commit = 'call') => ({
    of,
    servers: [await start.peer(program, await ownCopy(), ['--commit', commit])],
    plan,
    numbers: { next: 0 },
  });
  return [
    [
      { of: EHR, servers: [await start.ehr(await ownCopy())], plan, numbers: { next: 0 } },
      await peer(BARE, 'bare', 'turn'),
      await peer(BARE_PER_CALL, 'bare'),
      await peer(EXPRESS, 'express'),
    ],
    [await peer(JAYSON, 'jayson'), await peer(JSON_RPC, 'json-rpc')],
  ];
}
