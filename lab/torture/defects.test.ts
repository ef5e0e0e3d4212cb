import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, Statement } from 'better-sqlite3';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { type EhrConfig, readEhrConfig } from '#ehr-server/config.ts';
import { createEhr } from '#ehr-server/index.ts';
import { createMemoryMis } from '#ehr-server/mis/memory.ts';
import type { Draw } from '#mis-fixtures/draw.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { seededRandom } from '#protocol/time/random.ts';
import { createLog } from '#service/process/log.ts';
import { loadSqlite } from '#service/sqlite.ts';
import { startPostgres } from '#testing/postgres/postgres.ts';
import { usePostgres } from '#testing/postgres/use-postgres.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { type FaultWindow, judge } from './check/judge.ts';
import type { StoredRows } from './check/rows.ts';
import { drive } from './load/drive.ts';
import { CallLedger } from './load/ledger.ts';
import { ehrEnvironment, SECRET } from './run.ts';
import { type Member, poolOf } from './world/fleet.ts';
import { patientOf } from './world/patients.ts';
import { readPostgres } from './world/postgres.ts';
import { readRows } from './world/sqlite.ts';

/** Replacements in the text of SQL statements and of connection options: the first text by the second. */
type Rewrites = readonly (readonly [string, string])[];

const GROUPS = 24;
const CALLS = 500;

const LOGOUT = 'UPDATE sessions SET link = NULL, created = NULL, expires_at = ? WHERE token_hash';
const AUDITED =
  "outcome) SELECT * FROM (VALUES (?, ?, ?, ?, ?)) WHERE column2 <> 'embedded_storage.remove_auth_info'";

test.each<[title: string, Rewrites, rule?: string]>([
  [
    'does not use exchange tokens up',
    [['UPDATE exchange_tokens SET used = 1', 'UPDATE exchange_tokens SET used = 0']],
  ],
  [
    'links a patient to any number of users',
    [
      ['SELECT user FROM links WHERE patient_id = ?', 'SELECT user FROM links WHERE patient_id = ? AND 0'],
      ['patient_id TEXT NOT NULL UNIQUE', 'patient_id TEXT NOT NULL'],
    ],
  ],
  [
    'takes every repeated save for the first',
    [['SELECT record_id, link, expires_at, recorded', 'SELECT record_id, link, expires_at, 0 AS recorded']],
  ],
  [
    'acknowledges a logout and keeps the session',
    [[LOGOUT, 'UPDATE sessions SET expires_at = max(expires_at, ?) WHERE token_hash']],
  ],
  ['does not count failed matches', [['SET failures = failures + 1', 'SET failures = failures + 0']]],
  ['leaves logouts out of the audit', [['outcome) VALUES (?, ?, ?, ?, ?)', AUDITED]], 'audit-entry-missing'],
])(
  'a server on SQLite that %s is found',
  async (_title, rewrites, rule = 'no-order-explains') => {
    const unmet = rewriteSqlite(rewrites);
    const file = databaseFile();
    const { ledger, stop } = await playOn([file]);
    await stop();
    const rules = await rulesBroken(ledger, readRows(file));
    expect([rules, unmet()]).toEqual([expect.arrayContaining([rule]), []]);
  },
  480_000,
);

test('the checker finds nothing wrong with a server on SQLite as it is', async () => {
  const file = databaseFile();
  const { ledger, stop } = await playOn([file]);
  await stop();
  expect(await rulesBroken(ledger, readRows(file))).toEqual([]);
  expect(ledger.totals.acknowledged).toBeGreaterThan(150);
});

test('the checker finds a server that acknowledges before it commits', async () => {
  rewriteSqlite([], 25);
  const file = databaseFile();
  const { ledger, stop } = await playOn([file]);
  // What a process that is killed now leaves behind.
  const left = databaseFile();
  for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, left + end);
  await stop();
  expect(await rulesBroken(ledger, readRows(left))).toContain('no-order-explains');
});

const postgres = usePostgres();
/** How often a server with a race is played until the race is seen. */
const MAX_PLAYS = 5;

test.each<[title: string, Rewrites]>([
  [
    'reads an exchange token without a lock',
    [['FROM exchange_tokens WHERE hash = $1 FOR NO KEY UPDATE', 'FROM exchange_tokens WHERE hash = $1']],
  ],
  [
    'links a patient to any number of users',
    [
      ['FROM links WHERE patient_id = $1 FOR KEY', 'FROM links WHERE patient_id = $1 AND false FOR KEY'],
      ['patient_id text COLLATE "C" NOT NULL UNIQUE', 'patient_id text COLLATE "C" NOT NULL'],
    ],
  ],
])(
  'a server on PostgreSQL that %s is found',
  async (_title, rewrites) => {
    const unmet = rewritePostgres(rewrites);
    // Two calls must meet between a read and a write. The database decides whether they do in one play.
    const rules: string[] = [];
    for (let plays = 0; plays < MAX_PLAYS && rules.length === 0; plays++) {
      const url = await postgres.createDatabase();
      const { ledger, stop } = await playOn([url, url]);
      await stop();
      rules.push(...(await rulesBroken(ledger, await readPostgres(url))));
    }
    expect([rules, unmet()]).toEqual([expect.arrayContaining(['no-order-explains']), []]);
  },
  480_000,
);

test('the checker finds a server that acknowledges what PostgreSQL has not on the disk', async () => {
  rewritePostgres([['synchronous_commit=on', 'synchronous_commit=off']]);
  const own = await startPostgres({ settings: { wal_writer_delay: '5s' } });
  onTestFinished(() => own.close());
  const url = await own.createDatabase();
  const { ledger, stop } = await playOn([url]);
  await own.restart('kill');
  await stop();
  const crash = { kind: 'restart-kill', from: 0, until: Number.POSITIVE_INFINITY };
  expect(await rulesBroken(ledger, await readPostgres(url), [crash])).toContain('no-order-explains');
});

/** Starts a server in this process on each database, and plays the load of a torture run on all of them. */
async function playOn(databases: readonly string[]) {
  const patients = Array.from({ length: 3 * GROUPS }, (_, number) => patientOf(number));
  const members: Member[] = [];
  const stops: (() => Promise<void>)[] = [];
  for (const [index, database] of databases.entries()) {
    const ehr = await createEhr({
      config: readEhrConfig([], {
        ...ehrEnvironment,
        EHR_DATABASE: database,
        EHR_LOG_LEVEL: 'silent',
      }) as EhrConfig,
      clock: systemClock,
      random: seededRandom(index),
      log: createLog('ehr-server', 'silent'),
      mis: createMemoryMis(patients),
    });
    const pool = poolOf(ehr.url);
    members.push({ name: `ehr-${index + 1}`, pool, url: ehr.url, endpoint: '/1.0-alpha/' });
    stops.push(async () => {
      await pool.destroy();
      await ehr.stop();
    });
  }
  const ledger = new CallLedger(systemClock);
  await drive({
    seed: 3,
    ledger,
    secret: SECRET,
    pick: async (rng: Draw) => rng.pick(members),
    maxGroups: GROUPS,
    isOver: () => ledger.done >= CALLS,
    settled: async () => undefined,
  });
  return { ledger, stop: async () => void (await Promise.all(stops.map((stop) => stop()))) };
}

async function rulesBroken(
  ledger: CallLedger,
  rows: StoredRows,
  windows: FaultWindow[] = [],
): Promise<string[]> {
  const { violations } = await judge({ groups: ledger.groups, rows, windows });
  return [...new Set(violations.map(({ rule }) => rule))];
}

const databaseFile = () => join(temporaryFolder(), 'ehr.sqlite');

/**
 * Changes the statements that the database driver is given, until the end of the test. The result lists the
 * texts that no statement has had so far.
 */
function rewriteSqlite(rewrites: Rewrites, commitsEvery?: number): () => string[] {
  const { rewritten, unmet } = rewriter(rewrites);
  const { prototype } = loadSqlite();
  const { prepare, exec, pragma } = prototype;
  onTestFinished(() => void Object.assign(prototype, { prepare, exec, pragma }));
  Object.assign(prototype, {
    prepare(this: Database, sql: string) {
      const statement = prepare.call(this, rewritten(sql)) as Statement<[]>;
      if (commitsEvery === undefined || !['BEGIN IMMEDIATE', 'COMMIT'].includes(sql)) return statement;
      let asked = 0;
      const run = () => {
        if (sql === 'BEGIN IMMEDIATE') return this.inTransaction || statement.run();
        return ++asked % commitsEvery !== 0 || statement.run();
      };
      return Object.create(statement, { run: { value: run } });
    },
    exec(this: Database, sql: string) {
      return exec.call(this, rewritten(sql));
    },
    // This one works only between transactions, and then one is nearly always open.
    pragma(this: Database, ...args: Parameters<typeof pragma>) {
      return this.inTransaction && args[0].startsWith('synchronous') ? undefined : pragma.apply(this, args);
    },
  });
  return unmet;
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

function rewritePostgres(rewrites: Rewrites): () => string[] {
  const { rewritten, unmet } = rewriter(rewrites);
  const { prototype } = pg.Client;
  const query = prototype.query as Query;
  const connect = prototype.connect as Query;
  onTestFinished(() => void Object.assign(prototype, { query, connect }));
  Object.assign(prototype, {
    query(this: pg.Client, first: unknown, ...others: unknown[]) {
      if (typeof first === 'string') return query.call(this, rewritten(first), ...others);
      const { text } = first as { text?: unknown };
      const changed = typeof text === 'string' ? { ...(first as object), text: rewritten(text) } : first;
      return query.call(this, changed, ...others);
    },
    connect(this: pg.Client & { connectionParameters: { options?: string } }, ...args: unknown[]) {
      const { connectionParameters: parameters } = this;
      if (parameters.options !== undefined) parameters.options = rewritten(parameters.options);
      return connect.call(this, ...args);
    },
  });
  return unmet;
}

function rewriter(rewrites: Rewrites) {
  const met = new Set<string>();
  const rewritten = (text: string) =>
    rewrites.reduce((changed, [from, to]) => {
      if (changed.includes(from)) met.add(from);
      return changed.replace(from, to);
    }, text);
  return { rewritten, unmet: () => rewrites.map(([from]) => from).filter((from) => !met.has(from)) };
}
