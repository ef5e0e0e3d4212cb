/** Measures whether callers notice that millions of old sessions are being deleted. */
import { openSqlite } from '#service/sqlite.ts';
import type { Bench, Group } from '../bench.ts';
import { withServers } from '../contenders.ts';
import { FAR_FUTURE_MS } from '../data/identities.ts';
import { connectionsCase, grouped, TABLES } from '../names.ts';
import { JUDGED_CONNECTIONS } from '../plan.ts';
import { freePort } from '../processes/free-port.ts';
import type { Server } from '../processes/server.ts';
import { type Contender, measureSlice, rowOf, type Slice } from '../rates.ts';
import type { Table } from '../report/results.ts';

const DAY_MS = 86_400_000;
/** The server's default retention. */
const RETENTION_MS = 30 * DAY_MS;
const LIVE_SESSION_COUNT = 100_000;

export const purge: Group = {
  id: TABLES.purge,
  about: 'get_patient while sessions are purged, and when it is quiet',
  async run(bench) {
    const { rounds, purged } = bench.plan;
    const database = await bench.databases.sessions({
      sessions: LIVE_SESSION_COUNT + rounds * purged,
      users: LIVE_SESSION_COUNT,
      expiresAt: expiryOf(purged, Date.now()),
    });
    const population = await bench.databases.population(LIVE_SESSION_COUNT);
    const controlPort = await freePort();
    return withServers(bench, async (start) => {
      const server = await start.ehr({ database, population }, { EHR_CONTROL_PORT: String(controlPort) });
      return [await measure(bench, server, controlPort, database)];
    });
  },
};

/**
 * The first sessions stay alive. Of the others, `purged` more become old enough to be deleted on each day.
 */
function expiryOf(purged: number, now: number): (session: number) => number {
  return (session) =>
    session < LIVE_SESSION_COUNT
      ? FAR_FUTURE_MS
      : now - RETENTION_MS + (Math.floor((session - LIVE_SESSION_COUNT) / purged) + 0.5) * DAY_MS;
}

async function measure(bench: Bench, server: Server, controlPort: number, database: string): Promise<Table> {
  const { rounds } = bench.plan;
  const contender: Contender = {
    of: '',
    servers: [server],
    plan: { kind: 'get_patient', sessions: LIVE_SESSION_COUNT, users: LIVE_SESSION_COUNT },
    numbers: { next: 0 },
  };
  const [quiet, purging]: [Slice[], Slice[]] = [[], []];
  const gone: number[] = [];
  await measureSlice(bench, contender, JUDGED_CONNECTIONS);
  for (let round = 0; round < rounds; round++) {
    bench.log(`purge: round ${round + 1} of ${rounds}`);
    quiet.push(await measureSlice(bench, contender, JUDGED_CONNECTIONS));
    const before = countSessions(database);
    const slice = measureSlice(bench, contender, JUDGED_CONNECTIONS);
    await passDay(controlPort);
    purging.push(await slice);
    gone.push(before - countSessions(database));
    await untilPurged(bench, database, before);
  }
  const least = Math.min(...gone);
  if (least === 0) throw new Error('Failed to measure the purge: nothing was deleted during a slice.');
  const at = connectionsCase(JUDGED_CONNECTIONS);
  return {
    id: TABLES.purge,
    title: 'get_patient during a purge',
    about: `The same server quiet, and while it deletes sessions that ran out long ago; during each slice it deleted at least ${grouped(least)} of them.`,
    unit: 'calls/s',
    better: 'higher',
    base: 'quiet',
    rows: [rowOf(at, 'quiet', quiet), rowOf(at, 'purging', purging)],
  };
}

async function passDay(controlPort: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${controlPort}/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: DAY_MS }),
  });
  if (!response.ok) throw new Error(`Failed to move the server's clock: HTTP ${response.status}.`);
}

function countSessions(database: string): number {
  const db = openSqlite(database, { readonly: true });
  try {
    return db.prepare('SELECT count(*) FROM sessions').pluck().get() as number;
  } finally {
    db.close();
  }
}

async function untilPurged(bench: Bench, database: string, before: number): Promise<void> {
  while (before - countSessions(database) < bench.plan.purged) {
    bench.signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
