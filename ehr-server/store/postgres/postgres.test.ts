import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { hashToken } from '#protocol/wire/secrets.ts';
import { runOn } from '#testing/postgres/databases.ts';
import { attempt, auditLines, link, NOW, saveToken, session, use } from '#testing/store-steps.ts';
import { usePostgres } from '#testing/use-postgres.ts';
import { openStore } from '../open-store.ts';
import type { Store } from '../store.ts';
import { openPool } from './pool.ts';
import { steps } from './schema.ts';

const { createDatabase } = usePostgres();

async function open(database: string, more: object = {}): Promise<Store> {
  const store = await openStore({ database, audit: true, ...more });
  onTestFinished(() => store.close());
  return store;
}

/** A connection that keeps its locks until `letGo` is called. */
async function holding(url: string, sql: string): Promise<{ letGo(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query(sql);
  return { letGo: async () => void (await client.query('ROLLBACK')) };
}

test('ten instances that start at once on an empty database all come up', async () => {
  const url = await createDatabase();
  const stores = await Promise.all(Array.from({ length: 10 }, () => open(url)));
  await Promise.all(stores.map((store) => store.check()));
  expect(await runOn(url, 'SELECT version FROM ehr_schema')).toEqual([{ version: steps.length }]);
});

test('a database of a newer version is left alone', async () => {
  const url = await createDatabase();
  await (await open(url)).check();
  await runOn(url, 'UPDATE ehr_schema SET version = 99');
  await expect(open(url)).rejects.toThrow(
    /newer version of this program \(schema 99, known is \d+\), so please update/,
  );
  expect(await runOn(url, 'SELECT version FROM ehr_schema')).toEqual([{ version: 99 }]);
});

test('an absent database is named without its password, with what to do', async () => {
  const url = new URL(await createDatabase());
  url.username = 'postgres';
  url.password = 'pass-word';
  url.pathname = '/nowhere';
  const error = await open(url.href).catch((thrown: Error) => thrown);
  expect(error).toBeInstanceOf(Error);
  const { message } = error as Error;
  expect(message).toMatch(
    /^Failed to open the database postgres:\/\/postgres@[^ ]*\/nowhere: database "nowhere" does not exist\. Please check/,
  );
  expect(message).not.toContain('pass-word');
});

test('an address that cannot be read is not repeated', async () => {
  const error = (await open('postgres://user:pass-word@host:port/db').catch(
    (thrown: Error) => thrown,
  )) as Error;
  expect(error.message).toContain('cannot be read. Please write it as postgres://');
  expect(error.message).not.toContain('pass-word');
});

test('a database of another encoding is refused', async () => {
  const url = await createDatabase();
  const other = new URL(url);
  other.pathname = `${other.pathname}_latin1`;
  const name = pg.escapeIdentifier(other.pathname.slice(1));
  await runOn(url, `CREATE DATABASE ${name} ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'`);
  onTestFinished(async () => void (await runOn(url, `DROP DATABASE ${name}`)));
  await expect(open(other.href)).rejects.toThrow('its encoding is LATIN1, and must be UTF8');
});

test('changes wait for the disk and accesses do not', async () => {
  const url = await createDatabase();
  for (const durable of [true, false]) {
    const pool = openPool(url, 1, { durable });
    onTestFinished(() => pool.end());
    const { rows } = await pool.query('SHOW synchronous_commit');
    expect(rows).toEqual([{ synchronous_commit: durable ? 'on' : 'off' }]);
  }
});

test('settings of the address are kept beside those of the program', async () => {
  const url = new URL(await createDatabase());
  url.searchParams.set('options', '-c search_path=elsewhere -c enable_seqscan=on');
  const pool = openPool(url.href, 1, { timeoutMs: 1_234 });
  onTestFinished(() => pool.end());
  const shown = async (name: string) => Object.values((await pool.query(`SHOW ${name}`)).rows[0]).join();
  expect(await shown('search_path')).toBe('elsewhere');
  expect(await shown('enable_seqscan')).toBe('off');
  expect(await shown('statement_timeout')).toBe('1234ms');
  expect(await shown('lock_timeout')).toBe('617ms');
  expect(await shown('application_name')).toBe('ehr-server');
});

test('a number that would be rounded is an error', async () => {
  const pool = openPool(await createDatabase(), 1);
  onTestFinished(() => pool.end());
  expect((await pool.query('SELECT 9007199254740991::bigint AS n')).rows).toEqual([
    { n: Number.MAX_SAFE_INTEGER },
  ]);
  await expect(pool.query('SELECT 9007199254740992::bigint AS n')).rejects.toThrow(
    'beyond the safe whole numbers',
  );
});

test('a locked row fails its own call in time, and no neighbour', async () => {
  const url = await createDatabase();
  const store = await open(url, { databaseTimeout: 600 });
  for (const user of ['u', 'v', 'w']) await link(store, user, `p-${user}`, `t-${user}`);
  const { letGo } = await holding(url, `SELECT FROM links WHERE user_id = 'v' FOR UPDATE`);
  const save = (user: string) => store.saveSession(session(user, `s-${user}`), `sign-p-${user}`, NOW, true);
  const outcomes = await Promise.allSettled(['u', 'v', 'w'].map(save));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((outcomes[1] as PromiseRejectedResult).reason).toMatchObject({ code: '55P03' });
  await letGo();
  expect(await save('v')).toEqual({ id: 'r-s-v' });
});

test('a save that waits for a removal finds the user gone', async () => {
  const url = await createDatabase();
  const store = await open(url);
  await link(store, 'u', 'p', 't');
  const remover = new pg.Client({ connectionString: url });
  await remover.connect();
  onTestFinished(() => remover.end());
  await remover.query("BEGIN; DELETE FROM links WHERE user_id = 'u'");
  const saved = store.saveSession(session('u', 's'), 'sign-p', NOW, true);
  await expect.poll(() => waiting(url), { timeout: 5_000, interval: 10 }).toBe(1);
  await remover.query('COMMIT');
  expect(await saved).toEqual({ refused: 'user_unknown' });
  expect(await store.findSession(hashToken('s'))).toBeUndefined();
});

test('a removal waits for a save and ends what it saved', async () => {
  const url = await createDatabase();
  const store = await open(url);
  await link(store, 'u', 'p', 't');
  // The save of another process, blocked before its commit by a session that a third one is storing.
  const { letGo } = await holding(
    url,
    `INSERT INTO sessions VALUES ('\\x${Buffer.from(hashToken('s')).toString('hex')}', 'r', 'x', 0, 0, null, true)`,
  );
  const saved = store.saveSession(session('u', 's'), 'sign-p', NOW, true);
  await expect.poll(() => waiting(url), { timeout: 5_000, interval: 10 }).toBe(1);
  const removed = store.removeUser(hashToken('t'), 'u', NOW);
  await expect.poll(() => waiting(url), { timeout: 5_000, interval: 10 }).toBe(2);
  await letGo();
  expect([await saved, await removed]).toEqual([{ id: 'r-s' }, true]);
  expect(await store.findSession(hashToken('s'))).toBeUndefined();
});

test('a reader of the audit waits for entries that are being written', async () => {
  const url = await createDatabase();
  const store = await open(url);
  const { letGo } = await holding(
    url,
    `SELECT pg_advisory_xact_lock_shared(7301003);
    INSERT INTO audit (at, action, user_id, outcome) VALUES (1, 'patient.get_patient', 'first', 'ok')`,
  );
  await store.recordAccess('second', 'p', NOW);
  const reading = store.readAudit({ after: 0, limit: 10 });
  await expect.poll(() => waiting(url), { timeout: 5_000, interval: 10 }).toBe(1);
  await letGo();
  expect((await reading).map(({ user }) => user)).toEqual(['second']);
});

test('every way of adding an entry holds up the readers', async () => {
  const url = await createDatabase();
  const store = await open(url);
  for (const user of ['a', 'b', 'c', 'd']) await link(store, user, `p-${user}`, `t-${user}`);
  await saveToken(store, 'x', 'e', 't-e');
  await saveToken(store, 'y', 'f', 't-f');
  const writes: (() => Promise<unknown>)[] = [
    () => store.saveSession(session('a', 's-a'), 'sign-p-a', NOW, true),
    () => saveToken(store, 'z', 'g', 't-g'),
    () => use(store, 'x', 'p-e'),
    () => store.countFailure(attempt('y')),
    () => store.removeSession(hashToken('t-b'), 'b', NOW),
    () => store.removeUser(hashToken('t-c'), 'c', NOW),
    async () => store.recordAccess('d', 'p-d', NOW),
  ];
  for (const write of writes) {
    const { letGo } = await holding(url, 'SELECT pg_advisory_xact_lock(7301003)');
    const written = write();
    await expect.poll(() => waiting(url), { timeout: 5_000, interval: 10 }).toBe(1);
    await letGo();
    await written;
  }
});

test('one instance purges at a time, and the others go on', async () => {
  const url = await createDatabase();
  const store = await open(url);
  await link(store, 'u', 'p', 't');
  const { letGo } = await holding(
    url,
    'SELECT pg_advisory_xact_lock(7301004), pg_advisory_xact_lock(7301005)',
  );
  const later = NOW + 10 * 86_400_000;
  expect([await store.purge(later, 10), await store.purgeAudit(later, 10)]).toEqual([0, 0]);
  await letGo();
  expect([await store.purge(later, 10), await store.purgeAudit(later, 10)]).toEqual([2, 2]);
});

test('connections that the database ended are replaced', async () => {
  const url = await createDatabase();
  const store = await open(url);
  await link(store, 'u', 'p', 't');
  await store.recordAccess('u', 'p', NOW);
  await runOn(
    url,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ehr-server'`,
  );
  // Idle connections are dropped when the news of their end arrives.
  const patientOf = async (user: string) => (await store.findLink(user))?.patientId;
  await expect.poll(() => patientOf('u').catch(() => undefined)).toBe('p');
  await store.recordAccess('u', 'p', NOW);
  expect((await auditLines(store)).slice(-2)).toEqual(['get_patient u p ok', 'get_patient u p ok']);
});

test('a database that takes no writes is not ready, and can still be read', async () => {
  const url = await createDatabase();
  const store = await open(url);
  await link(store, 'u', 'p', 't');
  await store.check();
  const name = pg.escapeIdentifier(new URL(url).pathname.slice(1));
  await runOn(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const later = await open(url);
  await expect(later.check()).rejects.toThrow('The database takes no writes');
  await expect(later.removeSession(hashToken('t'), 'u', NOW)).rejects.toMatchObject({ code: '25006' });
  expect(await auditLines(later)).toEqual(await auditLines(store));
});

/** How many of the program's connections wait for a lock. */
async function waiting(url: string): Promise<unknown> {
  const sql = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await runOn(url, sql))[0]?.n;
}

test('an ended session leaves its token, record id and times alone', async () => {
  const url = await createDatabase();
  const store = await open(url);
  await link(store, 'u', 'p', 'kept');
  for (const token of ['logged-out', 'disconnected']) {
    const saved = session('u', token, { created: '2026-01-15', lifetime: 90 });
    await store.saveSession(saved, 'sign-p', NOW, true);
  }
  await store.removeSession(hashToken('logged-out'), 'u', NOW + 7);
  await store.removeUser(hashToken('kept'), 'u', NOW + 8);
  const rows = await runOn(url, 'SELECT * FROM sessions WHERE recorded ORDER BY expires_at');
  const left = { user_id: '', created: null, recorded: true, ended: true };
  expect(rows).toMatchObject([
    { ...left, token_hash: Buffer.from(hashToken('logged-out')), record_id: 'r-logged-out' },
    { ...left, token_hash: Buffer.from(hashToken('disconnected')), record_id: 'r-disconnected' },
  ]);
  expect(rows.map(({ expires_at: at }) => Number(at))).toEqual([NOW + 7, NOW + 8]);
});
